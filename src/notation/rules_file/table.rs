//! The fields of a rules file. All may be missing; which of them are required is decided after reading.

use serde::{Deserialize, Serialize, Serializer};

use crate::board::{Board8x8, Board8x8Full, Board10x8, Board10x10, Board12x12, Corner, Geometry, Names, Shape, Side};
use crate::rules::{
    Agreement, Conventions, Diagonal, DrawLimit, DrawRules, Ending, Goal, KingLanding, KingRange, LastPieces,
    ManCaptures, ManMoves, Precedence, Promotion, Removal, Repetition, ResultStyle, RuleSpec, Standing, Variant,
};

/// A rules file.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all(deserialize = "kebab-case"), expecting = "a table")]
pub(super) struct RulesTable {
    pub(super) name: Option<String>,
    #[serde(skip_serializing)]
    pub(super) base: Option<String>,
    pub(super) board: Option<Board>,
    pub(super) starts: Option<Side>,
    pub(super) start_rows: Option<u8>,
    pub(super) skipped_rows: Option<u8>,
    pub(super) man_moves: Option<ManMoves>,
    pub(super) man_captures: Option<ManCaptures>,
    pub(super) men_take_kings: Option<bool>,
    pub(super) king_range: Option<KingRange>,
    pub(super) king_landing: Option<KingLanding>,
    pub(super) removal: Option<Removal>,
    pub(super) may_turn_back: Option<bool>,
    pub(super) promotion: Option<Promotion>,
    pub(super) precedence: Option<Precedence>,
    pub(super) goal: Option<Goal>,
    pub(super) king_move_limit: Option<OrNone<u8>>,
    #[serde(default)]
    pub(super) numbering: NumberingTable,
    #[serde(default)]
    pub(super) draws: DrawsTable,
}

/// `[numbering]`.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all(deserialize = "kebab-case"), expecting = "a table")]
pub(super) struct NumberingTable {
    pub(super) names: Option<Names>,
    pub(super) first: Option<Corner>,
    pub(super) mirrored: Option<bool>,
    pub(super) capture_sign: Option<CaptureSign>,
    pub(super) results: Option<ResultStyle>,
}

/// `[draws]`.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all(deserialize = "kebab-case"), expecting = "a table")]
pub(super) struct DrawsTable {
    pub(super) repetition: Option<OrNone<RepetitionTable>>,
    pub(super) last_pieces: Option<OrNone<LastPiecesTable>>,
    pub(super) agreement: Option<OrNone<AgreementTable>>,
    pub(super) limits: Option<Vec<LimitTable>>,
}

/// `[draws.repetition]`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all(deserialize = "kebab-case"), expecting = "a table")]
pub(super) struct RepetitionTable {
    pub(super) occurrences: Option<u8>,
    pub(super) standing: Option<Standing>,
    pub(super) article: Option<String>,
}

/// `[draws.last-pieces]`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all(deserialize = "kebab-case"), expecting = "a table")]
pub(super) struct LastPiecesTable {
    pub(super) kings_only: Option<bool>,
    pub(super) article: Option<String>,
}

/// `[draws.agreement]`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all(deserialize = "kebab-case"), expecting = "a table")]
pub(super) struct AgreementTable {
    pub(super) after_moves: Option<u16>,
    pub(super) article: Option<String>,
}

/// `[[draws.limits]]`.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all(deserialize = "kebab-case"), expecting = "a table")]
pub(super) struct LimitTable {
    pub(super) name: Option<String>,
    pub(super) plies: Option<u16>,
    pub(super) ending: Option<EndingKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) except_both_kings: Option<Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pieces: Option<Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kings: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) diagonal: Option<Diagonal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) outlasts_captures: Option<bool>,
    pub(super) standing: Option<Standing>,
    pub(super) article: Option<String>,
}

/// A rule, or the word `none`; null in JSON.
#[derive(Deserialize)]
#[serde(untagged, expecting = "invalid value, expected `none` or a value of this rule")]
pub(super) enum OrNone<T> {
    None(NoneWord),
    Some(T),
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum NoneWord {
    None,
}

impl<T> OrNone<T> {
    fn of<U>(value: Option<U>, table: impl FnOnce(U) -> T) -> Self {
        value.map_or(Self::None(NoneWord::None), |value| Self::Some(table(value)))
    }

    pub(super) const fn as_option(&self) -> Option<&T> {
        match self {
            Self::None(_) => None,
            Self::Some(value) => Some(value),
        }
    }
}

impl<T: Serialize> Serialize for OrNone<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None(_) => serializer.serialize_none(),
            Self::Some(value) => value.serialize(serializer),
        }
    }
}

/// A minimum and a maximum.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "Vec<u8>")]
pub(super) struct Bounds(u8, u8);

impl Bounds {
    const fn of((min, max): (u8, u8)) -> Self {
        Self(min, max)
    }

    pub(super) const fn pair(self) -> (u8, u8) {
        (self.0, self.1)
    }
}

impl TryFrom<Vec<u8>> for Bounds {
    type Error = &'static str;

    fn try_from(numbers: Vec<u8>) -> Result<Self, Self::Error> {
        match numbers[..] {
            [min, max] => Ok(Self(min, max)),
            _ => Err("expected a list of two numbers such as `[1, 2]`"),
        }
    }
}

/// The boards that rules can be played on.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Board {
    #[serde(rename = "8x8")]
    Dark8x8,
    #[serde(rename = "10x8")]
    Dark10x8,
    #[serde(rename = "10x10")]
    Dark10x10,
    #[serde(rename = "12x12")]
    Dark12x12,
    #[serde(rename = "8x8-all")]
    All8x8,
}

impl Board {
    const ALL: [Self; 5] = [Self::Dark8x8, Self::Dark10x8, Self::Dark10x10, Self::Dark12x12, Self::All8x8];

    pub(super) const fn shape(self) -> Shape {
        match self {
            Self::Dark8x8 => Board8x8::SHAPE,
            Self::Dark10x8 => Board10x8::SHAPE,
            Self::Dark10x10 => Board10x10::SHAPE,
            Self::Dark12x12 => Board12x12::SHAPE,
            Self::All8x8 => Board8x8Full::SHAPE,
        }
    }

    fn of(shape: Shape) -> Option<Self> {
        Self::ALL.into_iter().find(|board| board.shape() == shape)
    }
}

/// The signs of captures.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) enum CaptureSign {
    #[serde(rename = "x")]
    X,
    #[serde(rename = ":")]
    Colon,
    #[serde(rename = "-")]
    Hyphen,
}

impl CaptureSign {
    pub(super) const fn sign(self) -> char {
        match self {
            Self::X => 'x',
            Self::Colon => ':',
            Self::Hyphen => '-',
        }
    }

    const fn of(sign: char) -> Self {
        match sign {
            ':' => Self::Colon,
            '-' => Self::Hyphen,
            _ => Self::X,
        }
    }
}

/// The kinds of endings in which moves without progress are counted.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum EndingKind {
    NoProgress,
    LoneKing,
    BothKings,
}

impl RulesTable {
    /// Returns the complete table of a variant, without a base.
    pub(super) fn of(variant: Variant) -> Self {
        let spec: &RuleSpec = variant.spec();
        Self {
            name: Some(spec.name.to_owned()),
            base: None,
            board: Board::of(spec.shape),
            starts: Some(spec.starts),
            start_rows: Some(spec.start_rows.rows),
            skipped_rows: Some(spec.start_rows.skipped),
            man_moves: Some(spec.man_moves),
            man_captures: Some(spec.man_captures),
            men_take_kings: Some(spec.men_take_kings),
            king_range: Some(spec.king_range),
            king_landing: Some(spec.king_landing),
            removal: Some(spec.removal),
            may_turn_back: Some(spec.may_turn_back),
            promotion: Some(spec.promotion),
            precedence: Some(spec.precedence),
            goal: Some(spec.goal),
            king_move_limit: Some(OrNone::of(spec.king_move_limit, |limit| limit)),
            numbering: NumberingTable::of(variant.conventions()),
            draws: DrawsTable::of(&spec.draws),
        }
    }
}

impl NumberingTable {
    const fn of(conventions: Conventions) -> Self {
        Self {
            names: Some(conventions.names),
            first: Some(conventions.corner),
            mirrored: Some(conventions.mirrored),
            capture_sign: Some(CaptureSign::of(conventions.capture_sign)),
            results: Some(conventions.results),
        }
    }
}

impl DrawsTable {
    fn of(draws: &DrawRules) -> Self {
        let article = |article: &str| Some(article.to_owned());
        Self {
            repetition: Some(OrNone::of(draws.repetition, |rule: Repetition| RepetitionTable {
                occurrences: Some(rule.occurrences),
                standing: Some(rule.standing),
                article: article(rule.article),
            })),
            last_pieces: Some(OrNone::of(draws.last_pieces, |rule: LastPieces| LastPiecesTable {
                kings_only: Some(rule.kings_only),
                article: article(rule.article),
            })),
            agreement: Some(OrNone::of(draws.agreement, |rule: Agreement| AgreementTable {
                after_moves: Some(rule.after_moves),
                article: article(rule.article),
            })),
            limits: Some(draws.limits.iter().map(LimitTable::of).collect()),
        }
    }
}

impl LimitTable {
    fn of(limit: &DrawLimit) -> Self {
        let table = Self {
            name: Some(limit.name.to_owned()),
            plies: Some(limit.plies),
            standing: Some(limit.standing),
            article: Some(limit.article.to_owned()),
            ..Self::default()
        };
        match limit.ending {
            Ending::NoProgress { except_both_kings } => Self {
                ending: Some(EndingKind::NoProgress),
                except_both_kings: Some(Bounds::of(except_both_kings)),
                ..table
            },
            Ending::BothKings { pieces } => {
                Self { ending: Some(EndingKind::BothKings), pieces: Some(Bounds::of(pieces)), ..table }
            }
            Ending::LoneKing { pieces, kings, diagonal, outlasts_captures } => Self {
                ending: Some(EndingKind::LoneKing),
                pieces: Some(Bounds::of(pieces)),
                kings: Some(kings),
                diagonal: Some(diagonal),
                outlasts_captures: Some(outlasts_captures),
                ..table
            },
        }
    }
}
