//! The rules of a variant, and the conventions of its records.

use serde::{Deserialize, Serialize};

use super::draws::DrawRules;
use super::encode::fnv_1a;
use crate::board::{Corner, Geometry, Names, Shape, Side};

/// The rules of one variant. The built-in ones cite the article of each field.
///
/// New rules are made from existing ones: clone [`Variant::spec`](super::Variant::spec), change fields, and pass the result
/// to [`Variant::house`](super::Variant::house).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RuleSpec<'a> {
    /// Name on the command line: lowercase letters, digits and `-`.
    pub(crate) name: &'a str,
    /// The board.
    pub(crate) shape: Shape,
    /// The side that makes the first move.
    pub(crate) starts: Side,
    /// The rows of men at the start.
    pub(crate) start_rows: StartRows,
    /// How men move without capturing.
    pub(crate) man_moves: ManMoves,
    /// How men capture.
    pub(crate) man_captures: ManCaptures,
    /// True if a man may capture a king.
    pub(crate) men_take_kings: bool,
    /// How far kings reach.
    pub(crate) king_range: KingRange,
    /// Where a flying king may stop after the last piece it captures.
    pub(crate) king_landing: KingLanding,
    /// When captured pieces leave the board.
    pub(crate) removal: Removal,
    /// True if two consecutive jumps of one capture may go in opposite directions. It matters only where captured pieces
    /// leave at once.
    pub(crate) may_turn_back: bool,
    /// What happens to a man that reaches the promotion row during a capture.
    pub(crate) promotion: Promotion,
    /// Which of the possible captures are compulsory.
    pub(crate) precedence: Precedence,
    /// How the game is won.
    pub(crate) goal: Goal,
    /// Number of consecutive quiet moves that a side with a man may make with the same king; `None` means no limit.
    pub(crate) king_move_limit: Option<u8>,
    /// When the game is drawn.
    pub(crate) draws: DrawRules<'a>,
}

impl RuleSpec<'_> {
    /// Returns a key of the rules on which the values of positions depend: equal for rules that differ only in names,
    /// in the start of a game or in draws. Files store it, so it is the same in every release.
    pub(crate) fn play_key(&self) -> u64 {
        // Made of the words of rules files, which never change, in the form that the first tables were written with.
        let shape = format!(
            "Shape {{ width: {}, height: {}, every_square: {} }}",
            self.shape.width(),
            self.shape.height(),
            self.shape.every_square()
        );
        let (moves, captures) = (capitalised(self.man_moves), capitalised(self.man_captures));
        let pieces = format!("{shape}, {moves}, {captures}, {}, {}", self.men_take_kings, capitalised(self.king_range));
        let landing = format!("{}, {}", capitalised(self.king_landing), capitalised(self.removal));
        let order = format!("{}, {}", capitalised(self.promotion), capitalised(self.precedence));
        let captures = format!("{landing}, {}, {order}", self.may_turn_back);
        fnv_1a(format!("({pieces}) ({captures}) {}", capitalised(self.goal)).as_bytes())
    }
}

/// Returns the word of a value in a rules file with capitals instead of hyphens, such as `AfterMove`.
fn capitalised(value: impl Serialize) -> String {
    // These values are words, so they can be written.
    let word = serde_json::to_value(value).unwrap_or_default();
    let parts = word.as_str().unwrap_or_default().split('-');
    parts.filter_map(|part| part.split_at_checked(1)).map(|(first, rest)| first.to_uppercase() + rest).collect()
}

/// The rows of men at the start, the same for each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StartRows {
    /// Number of empty rows between the men and their own edge.
    pub(crate) skipped: u8,
    /// Number of rows of men.
    pub(crate) rows: u8,
}

/// Directions of a man's quiet moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ManMoves {
    /// One step diagonally forward.
    DiagonallyForward,
    /// One step straight forward or sideways.
    ForwardAndSideways,
}

/// Directions of a man's captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ManCaptures {
    /// Diagonally forward.
    DiagonallyForward,
    /// Diagonally forward and backward.
    Diagonally,
    /// Diagonally and straight, in all eight directions.
    EightWays,
    /// Straight forward and sideways.
    ForwardAndSideways,
}

/// How far kings reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum KingRange {
    /// One step; a king captures adjacent pieces.
    Short,
    /// Any number of empty squares.
    Flying,
}

/// Where a flying king may stop after the last piece it captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum KingLanding {
    /// On any empty square.
    Anywhere,
    /// On the next square.
    DirectlyBehind,
    /// On the next square if that piece is a king, otherwise anywhere.
    DirectlyBehindKing,
}

/// When captured pieces leave the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Removal {
    /// When the whole move is complete; until then they block.
    AfterMove,
    /// As soon as they are jumped.
    AtOnce,
}

/// What happens to a man that reaches the promotion row during a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Promotion {
    /// It is promoted only if the move ends there.
    AtEnd,
    /// It is promoted and the move ends.
    EndsMove,
    /// It is promoted and continues as a king.
    GoesOnAsKing,
}

/// Which of the possible captures are compulsory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Precedence {
    /// Any capture, but it must be completed.
    Free,
    /// The captures that take the most pieces.
    Most,
    /// The captures that take the most pieces and, among them, the most kings.
    MostThenKings,
    /// Most pieces; then with a king; then most kings; then the first king met earliest.
    Italian,
    /// Highest value, where n kings are worth between 2n−1 and 2n men; then with a king.
    HighestValue,
    /// With a king if a king can capture.
    WithKing,
}

/// How the game is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Goal {
    /// The side to move loses if it has no legal move.
    Block,
    /// The side to move wins if it has no legal move.
    Lose,
    /// The first side with a king wins; the side to move loses if it has no legal move.
    FirstKing,
}

/// Rules handed to generic code: a zero-sized type for each compiled variant, so that the compiler knows every field.
pub(crate) trait Rules: Copy + Send + Sync + 'static {
    /// The board, equal to the spec's shape.
    type Board: Geometry;
    /// Returns the rules.
    fn spec(self) -> &'static RuleSpec<'static>;
}

/// The machine word of the board on which rules are played.
pub(crate) type WordOf<R> = <<R as Rules>::Board as Geometry>::Word;

/// Runs a block with the rules of a variant: `rules`, a value of the type `R`, and the values that are passed in.
///
/// The compiler makes a copy of the block for each compiled variant and each board, so that no rule is looked up in it.
macro_rules! with_rules {
    ($variant:expr, <$a:lifetime, $R:ident>(
        $rules:pat_param $(, $name:ident: $type:ty = $value:expr)* $(,)?
    ) -> $output:ty $work:block) => {{
        // The lifetime has to be used even if nothing is borrowed.
        struct Work<$a>($($type,)* std::marker::PhantomData<&$a ()>);

        impl<$a> $crate::rules::Task for Work<$a> {
            type Output = $output;

            fn run<$R: $crate::rules::Rules>(self, $rules: $R) -> $output {
                let Self($($name,)* _) = self;
                $work
            }
        }

        $variant.dispatch(Work($($value,)* std::marker::PhantomData))
    }};
}
pub(crate) use with_rules;

/// Work to be done with the rules of a variant; see [`Variant::dispatch`](super::Variant::dispatch).
pub(crate) trait Task {
    /// The result of the work.
    type Output;
    /// Does the work.
    fn run<R: Rules>(self, rules: R) -> Self::Output;
}

/// How records of a variant are written: names of squares, sign of captures, style of results.
///
/// Two variants with the same rules and different conventions are different variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Conventions {
    /// How squares are named.
    pub(crate) names: Names,
    /// The corner of the first square, as White sees it.
    pub(crate) corner: Corner,
    /// True if the bottom-left corner of the physical board is not playable.
    pub(crate) mirrored: bool,
    /// The sign between the squares of a capture: `x`, `:` or `-`.
    pub(crate) capture_sign: char,
    /// How results are written.
    pub results: ResultStyle,
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum ResultStyle {
    /// `2-0`, `1-1`, `0-2`
    #[cfg_attr(feature = "cli", value(name = "2-0"))]
    #[serde(rename = "2-0")]
    TwoPoints,
    /// `1-0`, `1/2-1/2`, `0-1`
    #[cfg_attr(feature = "cli", value(name = "1-0"))]
    #[serde(rename = "1-0")]
    OnePoint,
}

impl Conventions {
    /// Returns the usual conventions of a board: numbers from the top left on boards with at least 10 rows, letters from the
    /// bottom left on smaller ones, captures with `x` and results such as `1-0`.
    pub(crate) const fn usual(shape: Shape) -> Self {
        let (names, corner) = if shape.height() < 10 {
            (Names::Algebraic, Corner::BottomLeft)
        } else {
            (Names::Numeric, Corner::TopLeft)
        };
        Self { names, corner, mirrored: false, capture_sign: 'x', results: ResultStyle::OnePoint }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Variant;

    #[test]
    fn keys_of_built_in_variants_never_change() {
        let keys = Variant::ALL.iter().map(|variant| (variant.name(), variant.spec().play_key()));
        let expected = [
            ("international", 0x7231_06EA_3188_0B45),
            ("english", 0xC78A_7688_2538_4CDD),
            ("italian", 0x1DEC_ECCA_A13C_32B2),
            ("pool", 0xE845_EE65_5977_400C),
            ("pool-unified", 0xE845_EE65_5977_400C),
            ("jamaican", 0xE845_EE65_5977_400C),
            ("spanish", 0xD5D8_E59C_D7D6_CDBE),
            ("russian", 0x4B78_455B_B5A9_CA0A),
            ("brazilian", 0xD905_F9F0_A823_A06F),
            ("canadian", 0xDDBF_7A3D_706A_238D),
            ("portuguese", 0xD5D8_E59C_D7D6_CDBE),
            ("czech", 0xEF45_7981_6A4B_E13B),
            ("turkish", 0xBC8D_2C65_7BD9_08B7),
            ("thai", 0xACD3_193E_E36D_2B50),
            ("frisian", 0x50C1_8019_F180_47E4),
            ("spantsiretti", 0xEE56_C1B0_A6D7_F73D),
            ("killer", 0xCCF8_46D9_C047_3F35),
            ("breakthrough", 0x7E50_89AE_D26B_046D),
            ("antidraughts", 0xD5EF_82CA_1436_7AFD),
            ("frysk", 0x50C1_8019_F180_47E4),
        ];
        assert_eq!(keys.collect::<Vec<_>>(), expected);
    }
}
