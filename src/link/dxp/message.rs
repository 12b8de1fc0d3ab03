//! The messages of DXP and their text.

use std::fmt;
use std::str::FromStr;

use crate::board::Side;

/// Maximum length of a message in bytes, without the NUL byte.
pub(super) const MAX_LENGTH: usize = 127;
/// Version of the protocol in a game request.
const VERSION: &str = "01";
/// Length of a name.
const NAME: usize = 32;
/// Number of squares of a board.
pub(super) const SQUARES: usize = 50;
/// Greatest number of minutes or moves in a game request.
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
        /// True if there is to be no other game.
        stop: bool,
    },
    /// A line of text for the other player.
    Chat(String),
    /// A player wants to go back to the position before this move of a side.
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
    /// Declined like any other game.
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

/// How a game ended, from the point of view of the sender.
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
            "C" => Some(Self::Chat(fields.rest().to_owned())),
            "B" => fields.back_request(),
            "K" => fields.number(1).and_then(BackAnswer::of).map(Self::BackAnswer),
            _ => None,
        };
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
            "Z" => Some(Side::Black),
            _ => None,
        }
    }

    fn name(&mut self) -> Option<String> {
        self.take(NAME).map(|name| name.trim().to_owned())
    }

    fn request(&mut self) -> Option<DxpMessage> {
        let version = self.take(VERSION.len())?;
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

/// Returns a text as it can be sent: printable ASCII, not longer than a field.
fn field(text: &str, length: usize) -> String {
    let printable = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
    text.chars().take(length).map(printable).collect()
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
}
