//! The fields of a rules file, and the rules that they make.

use serde::{Deserialize, Serialize};

use crate::board::{Board8x8, Board8x8Full, Board10x8, Board10x10, Board12x12, Corner, Geometry, Names, Shape, Side};
use crate::rules::{
    Agreement, Conventions, Diagonal, DrawLimit, DrawRules, Ending, Goal, KingLanding, KingRange, LastPieces,
    ManCaptures, ManMoves, Precedence, Promotion, Removal, Repetition, ResultStyle, RuleSpec, SpecIssue, Standing,
    StartRows, Variant,
};

/// A complete rules file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all(deserialize = "kebab-case"), expecting = "a table")]
pub(super) struct RulesTable {
    pub(super) name: String,
    /// The variant that supplies the other rules; they are complete before the table is read.
    #[serde(skip_serializing)]
    #[allow(dead_code, reason = "messages list the fields")]
    base: Option<String>,
    pub(super) board: Board,
    pub(super) starts: Side,
    pub(super) start_rows: u8,
    pub(super) skipped_rows: u8,
    pub(super) man_moves: ManMoves,
    pub(super) man_captures: ManCaptures,
    pub(super) men_take_kings: bool,
    pub(super) king_range: KingRange,
    pub(super) king_landing: KingLanding,
    pub(super) removal: Removal,
    pub(super) may_turn_back: bool,
    pub(super) promotion: Promotion,
    pub(super) precedence: Precedence,
    pub(super) goal: Goal,
    pub(super) king_move_limit: Option<u8>,
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
    pub(super) repetition: Option<RepetitionTable>,
    pub(super) last_pieces: Option<LastPiecesTable>,
    pub(super) agreement: Option<AgreementTable>,
    #[serde(default)]
    pub(super) limits: Vec<LimitTable>,
}

/// `[draws.repetition]`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all(deserialize = "kebab-case"), expecting = "`none` or a table")]
pub(super) struct RepetitionTable {
    pub(super) occurrences: u8,
    #[serde(default)]
    pub(super) standing: Standing,
    #[serde(default = "house_article")]
    pub(super) article: String,
}

/// `[draws.last-pieces]`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all(deserialize = "kebab-case"), expecting = "`none` or a table")]
pub(super) struct LastPiecesTable {
    pub(super) kings_only: bool,
    #[serde(default = "house_article")]
    pub(super) article: String,
}

/// `[draws.agreement]`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all(deserialize = "kebab-case"), expecting = "`none` or a table")]
pub(super) struct AgreementTable {
    pub(super) after_moves: u16,
    #[serde(default = "house_article")]
    pub(super) article: String,
}

/// `[[draws.limits]]`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all(deserialize = "kebab-case"), expecting = "a table")]
pub(super) struct LimitTable {
    pub(super) name: String,
    pub(super) plies: u16,
    pub(super) ending: EndingKind,
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
    #[serde(default)]
    pub(super) standing: Standing,
    #[serde(default = "house_article")]
    pub(super) article: String,
}

/// Returns the article of a rule that cites none.
fn house_article() -> String {
    "house rules".to_owned()
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

    fn of(shape: Shape) -> Self {
        Self::ALL.into_iter().find(|board| board.shape() == shape).expect("rules are only made for these boards")
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
    /// Returns the table of a variant.
    pub(super) fn of(variant: Variant) -> Self {
        let spec = variant.spec();
        Self {
            name: spec.name.to_owned(),
            base: None,
            board: Board::of(spec.shape),
            starts: spec.starts,
            start_rows: spec.start_rows.rows,
            skipped_rows: spec.start_rows.skipped,
            man_moves: spec.man_moves,
            man_captures: spec.man_captures,
            men_take_kings: spec.men_take_kings,
            king_range: spec.king_range,
            king_landing: spec.king_landing,
            removal: spec.removal,
            may_turn_back: spec.may_turn_back,
            promotion: spec.promotion,
            precedence: spec.precedence,
            goal: spec.goal,
            king_move_limit: spec.king_move_limit,
            numbering: NumberingTable::of(variant.conventions()),
            draws: DrawsTable::of(&spec.draws),
        }
    }

    /// Returns the variant with the rules of the table.
    pub(super) fn variant(&self) -> Result<Variant, SpecIssue> {
        let limits = self.draws.limits.iter().enumerate().map(|(n, limit)| {
            let checked = limit.read();
            checked.map_err(|(field, reason)| SpecIssue::new(field, reason).of_limit(n))
        });
        let limits = limits.collect::<Result<Vec<_>, _>>()?;
        let spec = RuleSpec {
            name: &self.name,
            shape: self.board.shape(),
            starts: self.starts,
            start_rows: StartRows { skipped: self.skipped_rows, rows: self.start_rows },
            man_moves: self.man_moves,
            man_captures: self.man_captures,
            men_take_kings: self.men_take_kings,
            king_range: self.king_range,
            king_landing: self.king_landing,
            removal: self.removal,
            may_turn_back: self.may_turn_back,
            promotion: self.promotion,
            precedence: self.precedence,
            goal: self.goal,
            king_move_limit: self.king_move_limit,
            draws: self.draws.rules(&limits),
        };
        let conventions = self.numbering.conventions(spec.shape);
        // The unchanged file of a built-in variant is accepted, so that what is written can be read.
        if let Some(other) = Variant::by_name(spec.name)
            && (*other.spec() != spec || other.conventions() != conventions)
        {
            let reason = format!("{other} is a built-in variant with other rules; choose another name");
            return Err(SpecIssue::new(&["name"], reason));
        }
        Variant::house(&spec, conventions)
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

    /// Returns the conventions, the usual ones of the board where the table has none.
    fn conventions(&self, shape: Shape) -> Conventions {
        let usual = Conventions::usual(shape);
        Conventions {
            names: self.names.unwrap_or(usual.names),
            corner: self.first.unwrap_or(usual.corner),
            mirrored: self.mirrored.unwrap_or(usual.mirrored),
            capture_sign: self.capture_sign.map_or(usual.capture_sign, CaptureSign::sign),
            results: self.results.unwrap_or(usual.results),
        }
    }
}

impl DrawsTable {
    fn of(draws: &DrawRules<'_>) -> Self {
        Self {
            repetition: draws.repetition.map(|Repetition { occurrences, standing, article }| RepetitionTable {
                occurrences,
                standing,
                article: article.to_owned(),
            }),
            last_pieces: draws
                .last_pieces
                .map(|LastPieces { kings_only, article }| LastPiecesTable { kings_only, article: article.to_owned() }),
            agreement: draws
                .agreement
                .map(|Agreement { after_moves, article }| AgreementTable { after_moves, article: article.to_owned() }),
            limits: draws.limits.iter().map(LimitTable::of).collect(),
        }
    }

    fn rules<'a>(&'a self, limits: &'a [DrawLimit<'a>]) -> DrawRules<'a> {
        DrawRules {
            repetition: self.repetition.as_ref().map(|RepetitionTable { occurrences, standing, article }| Repetition {
                occurrences: *occurrences,
                standing: *standing,
                article,
            }),
            limits,
            last_pieces: self
                .last_pieces
                .as_ref()
                .map(|LastPiecesTable { kings_only, article }| LastPieces { kings_only: *kings_only, article }),
            agreement: self
                .agreement
                .as_ref()
                .map(|AgreementTable { after_moves, article }| Agreement { after_moves: *after_moves, article }),
        }
    }
}

impl LimitTable {
    fn of(limit: &DrawLimit<'_>) -> Self {
        let table = Self {
            name: limit.name.to_owned(),
            plies: limit.plies,
            ending: EndingKind::NoProgress,
            except_both_kings: None,
            pieces: None,
            kings: None,
            diagonal: None,
            outlasts_captures: None,
            standing: limit.standing,
            article: limit.article.to_owned(),
        };
        match limit.ending {
            Ending::NoProgress { except_both_kings } => {
                Self { except_both_kings: Some(Bounds::of(except_both_kings)), ..table }
            }
            Ending::BothKings { pieces } => {
                Self { ending: EndingKind::BothKings, pieces: Some(Bounds::of(pieces)), ..table }
            }
            Ending::LoneKing { pieces, kings, diagonal, outlasts_captures } => Self {
                ending: EndingKind::LoneKing,
                pieces: Some(Bounds::of(pieces)),
                kings: Some(kings),
                diagonal: Some(diagonal),
                outlasts_captures: Some(outlasts_captures),
                ..table
            },
        }
    }

    /// Returns the limit, or a field that is wrong and the reason.
    fn read(&self) -> Result<DrawLimit<'_>, (&'static [&'static str], String)> {
        Ok(DrawLimit {
            name: &self.name,
            plies: self.plies,
            ending: self.read_ending()?,
            standing: self.standing,
            article: &self.article,
        })
    }

    fn read_ending(&self) -> Result<Ending, (&'static [&'static str], String)> {
        let kind = self.ending;
        let fields: [(&'static [&'static str], bool, bool); 5] = [
            (&["except-both-kings"], self.except_both_kings.is_some(), kind == EndingKind::NoProgress),
            (&["pieces"], self.pieces.is_some(), kind != EndingKind::NoProgress),
            (&["kings"], self.kings.is_some(), kind == EndingKind::LoneKing),
            (&["diagonal"], self.diagonal.is_some(), kind == EndingKind::LoneKing),
            (&["outlasts-captures"], self.outlasts_captures.is_some(), kind == EndingKind::LoneKing),
        ];
        if let Some((field, ..)) = fields.into_iter().find(|(_, is_set, is_allowed)| *is_set && !is_allowed) {
            return Err((field, format!("field `{}` does not belong to this `ending`", field[0])));
        }
        let pieces = || self.pieces.map(Bounds::pair).ok_or((&["pieces"][..], "missing field `pieces`".to_owned()));
        Ok(match kind {
            EndingKind::NoProgress => {
                Ending::NoProgress { except_both_kings: self.except_both_kings.map_or((0, 0), Bounds::pair) }
            }
            EndingKind::BothKings => Ending::BothKings { pieces: pieces()? },
            EndingKind::LoneKing => Ending::LoneKing {
                pieces: pieces()?,
                kings: self.kings.ok_or((&["kings"][..], "missing field `kings`".to_owned()))?,
                diagonal: self.diagonal.unwrap_or_default(),
                outlasts_captures: self.outlasts_captures.unwrap_or_default(),
            },
        })
    }
}
