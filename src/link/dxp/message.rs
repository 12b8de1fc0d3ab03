//! The messages of DXP, with the positions and moves in them, and their text.

use std::fmt;
use std::str::FromStr;

use super::DxpError;
use crate::board::{Side, SquareSet};
use crate::link::codec::write_position;
use crate::notation::Numbering;
use crate::rules::{Move, Position, Setup, Variant};
use crate::text::printable;

/// Maximum length of a message in bytes, without the NUL byte.
pub(super) const MAX_LENGTH: usize = 127;
/// Version of the protocol in a game request.
const VERSION: &str = "01";
/// Length of a name.
const NAME: usize = 32;
/// Number of squares of a board.
const SQUARES: usize = 50;
/// Maximum number of minutes or moves in a game request.
const MAX_NUMBER: u16 = 999;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DxpMessage {
    /// The initiator proposes a game.
    Request(GameRequest),
    /// The initiator proposes a game in this other version of the protocol.
    OtherVersion(String),
    /// The follower answers a proposal.
    Accept { name: String, answer: GameAnswer },
    /// A player moves.
    Move(WrittenMove),
    /// A player ends the game, or confirms its end.
    End {
        reason: EndReason,
        /// True if no other game is to follow.
        stop: bool,
    },
    /// A line of text for the other player.
    Chat(String),
    /// A player asks to go back to the position before this move of a side.
    BackRequest { number: u16, side: Side },
    /// The answer.
    BackAnswer(BackAnswer),
}

/// The proposal of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GameRequest {
    pub(crate) name: String,
    /// The side of the follower.
    pub(crate) follower: Side,
    /// Time of each player, for the number of moves.
    pub(crate) minutes: u16,
    /// Number of moves in this time; 0 for all moves.
    pub(crate) moves: u16,
    /// The side to move and the squares, unless the game begins at the start position.
    pub(crate) setup: Option<String>,
}

/// The answer to a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameAnswer {
    Accepted,
    /// Declined because of the version of the protocol.
    OtherVersion,
    /// Declined, although another game might be accepted.
    NotThisGame,
    /// Declined, as any other game would be.
    NoGame,
}

/// A move by the numbers of its squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WrittenMove {
    pub(crate) seconds: u16,
    pub(crate) from: u8,
    pub(crate) to: u8,
    /// In any order.
    pub(crate) captured: Vec<u8>,
}

/// The end of a game, from the point of view of the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EndReason {
    Unknown,
    Loss,
    Draw,
    Win,
}

impl EndReason {
    /// Returns how a game ended for a side.
    pub(crate) fn for_side(side: Side, winner: Option<Side>) -> Self {
        match winner {
            None => Self::Draw,
            Some(winner) if winner == side => Self::Win,
            Some(_) => Self::Loss,
        }
    }

    /// Returns the result in words.
    pub(crate) const fn result(self) -> &'static str {
        match self {
            Self::Unknown => "unfinished",
            Self::Loss => "lost",
            Self::Draw => "drawn",
            Self::Win => "won",
        }
    }
}

/// The answer to a request to take moves back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BackAnswer {
    Accepted,
    Declined,
    Unsupported,
}

/// Values that are written as a digit from 0, in this order.
macro_rules! digits {
    ($type:ident: $($value:ident),+) => {
        impl $type {
            const ALL: &[Self] = &[$(Self::$value),+];

            fn of(digit: u16) -> Option<Self> {
                Self::ALL.get(usize::from(digit)).copied()
            }
        }
    };
}

digits!(GameAnswer: Accepted, OtherVersion, NotThisGame, NoGame);
digits!(EndReason: Unknown, Loss, Draw, Win);
digits!(BackAnswer: Accepted, Declined, Unsupported);

/// The error for a text that is not a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InvalidMessage;

impl FromStr for DxpMessage {
    type Err = InvalidMessage;

    fn from_str(text: &str) -> Result<Self, InvalidMessage> {
        let (kind, rest) = text.split_at_checked(1).ok_or(InvalidMessage)?;
        let mut fields = Fields(rest);
        let message = match kind {
            "R" => fields.request(),
            "A" => fields.accept(),
            "M" => fields.played().map(Self::Move),
            "E" => fields.end(),
            "C" => Some(Self::Chat(printable(fields.rest()).into_owned())),
            "B" => fields.back_request(),
            "K" => fields.number(1).and_then(BackAnswer::of).map(Self::BackAnswer),
            _ => None,
        };
        // Some programs pad messages with spaces: `M   3 617 111 `.
        message.filter(|_| fields.0.trim().is_empty()).ok_or(InvalidMessage)
    }
}

/// The rest of a message, whose fields have fixed lengths.
struct Fields<'a>(&'a str);

impl<'a> Fields<'a> {
    fn take(&mut self, length: usize) -> Option<&'a str> {
        let (field, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(field)
    }

    fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.0)
    }

    /// Reads a number, which may be padded with spaces.
    fn number(&mut self, length: usize) -> Option<u16> {
        let digits = self.take(length)?.trim();
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
    }

    fn square(&mut self) -> Option<u8> {
        self.number(2).and_then(|number| u8::try_from(number).ok())
    }

    fn side(&mut self) -> Option<Side> {
        match self.take(1)? {
            "W" => Some(Side::White),
            // From the Dutch: `zwart` is black.
            "Z" => Some(Side::Black),
            _ => None,
        }
    }

    fn name(&mut self) -> Option<String> {
        // It is shown on terminals, and another program may have put any character into it.
        self.take(NAME).map(|name| printable(name.trim()).into_owned())
    }

    fn request(&mut self) -> Option<DxpMessage> {
        let version = self.take(VERSION.len())?;
        // The fields of another version are not known.
        if version != VERSION {
            self.rest();
            return Some(DxpMessage::OtherVersion(version.to_owned()));
        }
        let name = self.name()?;
        let (follower, minutes, moves) = (self.side()?, self.number(3)?, self.number(3)?);
        let setup = match self.take(1)? {
            "A" => None,
            "B" => Some(self.take(1 + SQUARES)?.to_owned()),
            _ => return None,
        };
        Some(DxpMessage::Request(GameRequest { name, follower, minutes, moves, setup }))
    }

    fn accept(&mut self) -> Option<DxpMessage> {
        let name = self.name()?;
        let answer = GameAnswer::of(self.number(1)?)?;
        Some(DxpMessage::Accept { name, answer })
    }

    fn played(&mut self) -> Option<WrittenMove> {
        let (seconds, from, to) = (self.number(4)?, self.square()?, self.square()?);
        let captured = self.number(2)?;
        let captured = (0..captured).map(|_| self.square()).collect::<Option<_>>()?;
        Some(WrittenMove { seconds, from, to, captured })
    }

    fn end(&mut self) -> Option<DxpMessage> {
        let reason = EndReason::of(self.number(1)?)?;
        let stop = match self.take(1)? {
            "0" => false,
            "1" => true,
            _ => return None,
        };
        Some(DxpMessage::End { reason, stop })
    }

    fn back_request(&mut self) -> Option<DxpMessage> {
        let (number, side) = (self.number(3)?, self.side()?);
        Some(DxpMessage::BackRequest { number, side })
    }
}

impl fmt::Display for DxpMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(request) => request.fmt(f),
            Self::OtherVersion(version) => write!(f, "R{version}"),
            Self::Accept { name, answer } => write!(f, "A{:<NAME$}{}", field(name, NAME), *answer as u8),
            Self::Move(step) => step.fmt(f),
            Self::End { reason, stop } => write!(f, "E{}{}", *reason as u8, u8::from(*stop)),
            // One byte is the letter of the message.
            Self::Chat(text) => write!(f, "C{}", field(text, MAX_LENGTH - 1)),
            Self::BackRequest { number, side } => write!(f, "B{:03}{}", number.min(&MAX_NUMBER), letter(*side)),
            Self::BackAnswer(answer) => write!(f, "K{}", *answer as u8),
        }
    }
}

impl fmt::Display for GameRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, follower) = (field(&self.name, NAME), letter(self.follower));
        let (minutes, moves) = (self.minutes.min(MAX_NUMBER), self.moves.min(MAX_NUMBER));
        write!(f, "R{VERSION}{name:<NAME$}{follower}{minutes:03}{moves:03}")?;
        match &self.setup {
            None => f.write_str("A"),
            Some(setup) => write!(f, "B{setup}"),
        }
    }
}

impl fmt::Display for WrittenMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seconds, from, to, captured } = self;
        // The field has four digits.
        write!(f, "M{:04}{from:02}{to:02}{:02}", seconds.min(&9999), captured.len())?;
        captured.iter().try_for_each(|square| write!(f, "{square:02}"))
    }
}

const fn letter(side: Side) -> char {
    match side {
        Side::White => 'W',
        Side::Black => 'Z',
    }
}

/// Returns a text in the form in which it can be sent: printable ASCII, not longer than a field.
fn field(text: &str, length: usize) -> String {
    let printable = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
    text.chars().take(length).map(printable).collect()
}

/// Returns true if games of a variant can be played over DXP: it has a board of 50 squares. The protocol does not name the
/// variant, so that both programs must be set to the same one.
pub(crate) fn supports_dxp(variant: Variant) -> bool {
    usize::from(variant.shape().square_count()) == SQUARES
}

/// Writes the side to move and the squares of a position; `None` for the start position.
pub(crate) fn write_setup(position: &Position) -> Option<String> {
    let is_start = *position == Position::start(position.variant());
    (!is_start).then(|| write_position(position).replace('b', "z").replace('B', "Z"))
}

/// Reads the output of [`write_setup`]; `None` if the position is not playable.
pub(crate) fn read_setup(setup: Option<&str>, variant: Variant) -> Option<Position> {
    let Some(setup) = setup else { return Some(Position::start(variant)) };
    // Black's letters are `z` and `Z` here.
    let setup = Setup::from_letters(setup, Numbering::internal(variant)).filter(|_| !setup.contains(['b', 'B']))?;
    Position::from_setup(variant, &setup).ok().map(|(position, _)| position)
}

/// Writes a move that took this many seconds.
pub(crate) fn write_played(step: &Move, variant: Variant, seconds: u64) -> WrittenMove {
    let numbering = Numbering::internal(variant);
    let number = |square| numbering.number(square);
    WrittenMove {
        seconds: u16::try_from(seconds).unwrap_or(u16::MAX),
        from: number(step.from()),
        to: number(step.to()),
        captured: step.captured().iter().map(number).collect(),
    }
}

/// Finds the legal move that another program wrote.
///
/// # Errors
///
/// If there is none.
pub(crate) fn read_played(position: &Position, written: &WrittenMove) -> Result<Move, DxpError> {
    let numbering = Numbering::internal(position.variant());
    let square = |&number: &u8| numbering.square(number);
    let find = || {
        let captured = written.captured.iter().map(square).collect::<Option<SquareSet>>()?;
        let mut moves = position.moves_between(square(&written.from)?, square(&written.to)?);
        moves.retain(|step| step.captured() == captured);
        if let [only] = moves[..] { Some(only) } else { None }
    };
    find().ok_or_else(|| DxpError::IllegalMove(written.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_their_text() {
        let name = format!("{:<32}", "Ada");
        let texts = [
            format!("R01{name}Z001075A"),
            format!("R01{name}W000000BZ{}", "e".repeat(50)),
            format!("A{name}0"),
            format!("A{name}3"),
            "M0001322800".to_owned(),
            "M0012473304133842".to_owned(),
            "M9999282303223119".to_owned(),
            "E00".to_owned(),
            "E31".to_owned(),
            "CHello from a client".to_owned(),
            "C".to_owned(),
            "B001W".to_owned(),
            "B123Z".to_owned(),
            "K2".to_owned(),
        ];
        for text in texts {
            let message = text.parse::<DxpMessage>();
            if text == "M0012473304133842" {
                assert_eq!(message, Err(InvalidMessage), "four squares are announced, two follow");
                continue;
            }
            assert_eq!(message.map(|message| message.to_string()).as_ref(), Ok(&text));
        }
    }

    #[test]
    fn blanks_are_read_as_other_programs_write_them() {
        let capture = WrittenMove { seconds: 3, from: 6, to: 17, captured: vec![11] };
        assert_eq!("M   3 617 111 ".parse(), Ok(DxpMessage::Move(capture)));
        assert_eq!("R02future".parse(), Ok(DxpMessage::OtherVersion("02".to_owned())));
    }

    #[test]
    fn names_and_chat_cannot_control_a_terminal() {
        let name = format!("{:<31}\x1b", "A\x1b[2J");
        let request = format!("A{name}0").parse();
        let name = "A\u{fffd}[2J                          \u{fffd}".to_owned();
        assert_eq!(request, Ok(DxpMessage::Accept { name, answer: GameAnswer::Accepted }));
        assert_eq!("Ca\x1b[2J\nb".parse(), Ok(DxpMessage::Chat("a\u{fffd}[2J\u{fffd}b".to_owned())));
    }

    #[test]
    fn invalid_messages_are_errors() {
        let name = "x".repeat(32);
        for text in [
            "",
            "x",
            "é",
            "Mé",
            "M",
            "M00013228",
            "M0001322801",
            "M000132280099",
            "M-001322800",
            "E4 0",
            "E40",
            "E02",
            "B01W",
            "B001B",
            "K3",
            "A0",
            &format!("A{name}4"),
            &format!("R01{name}B001075A"),
            &format!("R01{name}W001075C"),
            &format!("R01{name}W001075BW{}", "e".repeat(49)),
        ] {
            assert_eq!(text.parse::<DxpMessage>(), Err(InvalidMessage), "{text}");
        }
    }

    #[test]
    fn sent_text_is_printable_and_not_too_long() {
        let chat = DxpMessage::Chat(format!("naïve\0\n{}", "x".repeat(200))).to_string();
        assert_eq!((chat.len(), &chat[..9]), (MAX_LENGTH, "Cna?ve??x"));
        let accept = DxpMessage::Accept { name: "é".repeat(40), answer: GameAnswer::Accepted };
        assert_eq!(accept.to_string(), format!("A{}0", "?".repeat(32)));
    }

    #[test]
    fn positions_survive_their_text() {
        let start = Position::start(Variant::FRISIAN);
        assert_eq!(read_setup(write_setup(&start).as_deref(), Variant::FRISIAN), Some(start));
        let position = Position::from_fen(Variant::INTERNATIONAL, "B:WK36,31:BK5,10").expect("a position");
        let setup = write_setup(&position).expect("not the start");
        assert_eq!(setup, "ZeeeeZeeeezeeeeeeeeeeeeeeeeeeeeweeeeWeeeeeeeeeeeeee");
        assert_eq!(read_setup(Some(&setup), Variant::INTERNATIONAL), Some(position));
        for invalid in ["", "Z", "é", &setup.replace('z', "b"), &setup.replace('Z', "B"), &setup[1..]] {
            assert_eq!(read_setup(Some(invalid), Variant::INTERNATIONAL), None, "{invalid}");
        }
    }

    #[test]
    fn moves_survive_their_text() {
        let position = Position::from_fen(Variant::INTERNATIONAL, "W:W28,K46:B23,22,12,41").expect("a position");
        for step in position.legal_moves() {
            let written = write_played(&step, Variant::INTERNATIONAL, 100_000);
            assert_eq!(read_played(&position, &written).expect("legal"), step);
            let captured = written.captured.iter().rev().copied().collect();
            assert_eq!(read_played(&position, &WrittenMove { captured, ..written }).expect("in any order"), step);
        }
        let quiet = WrittenMove { seconds: 0, from: 28, to: 32, captured: Vec::new() };
        for wrong in [quiet.clone(), WrittenMove { from: 0, ..quiet.clone() }, WrittenMove { to: 99, ..quiet }] {
            assert!(read_played(&position, &wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn boards_of_50_squares_are_supported() {
        for (variant, supported) in [
            (Variant::INTERNATIONAL, true),
            (Variant::FRISIAN, true),
            (Variant::RUSSIAN, false),
            (Variant::CANADIAN, false),
        ] {
            assert_eq!(supports_dxp(variant), supported, "{variant}");
        }
    }
}
