//! Findings of one game, of which no kind takes more than its share of memory.

use super::{Code, Diagnostic};

/// Findings of a kind that are kept as they are. A game that was not damaged on purpose has hardly ever ten.
const MOST: u32 = 1000;

/// Collects findings. Of each kind a thousand are kept; those behind them are counted, and told of in one.
///
/// # Examples
///
/// ```
/// use pdn::diag::{Code, Diagnostic, Findings, Span};
///
/// let mut findings = Findings::default();
/// for _ in 0..5000 {
///     findings.push(Diagnostic::new(Code::SYNTAX_STRAY_TEXT, Span::new(0, 1), "stray"));
/// }
/// let all = findings.into_vec();
/// assert_eq!((all.len(), all[1000].message.as_str()), (1001, "and 4000 more findings like it"));
/// assert_eq!(all.iter().map(|found| found.count).sum::<u32>(), 5000);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<Diagnostic>,
    kinds: Vec<Kind>,
}

/// How often findings of a kind were met.
#[derive(Clone, Debug)]
struct Kind {
    code: Code,
    kept: u32,
    /// What stands for those that were not kept.
    rest: Option<Diagnostic>,
}

impl Findings {
    /// Adds a finding; what is done to the one that is returned may be lost with it.
    pub fn push(&mut self, found: Diagnostic) -> &mut Diagnostic {
        let known = self.kinds.iter().position(|kind| kind.code == found.code);
        let place = known.unwrap_or_else(|| {
            self.kinds.push(Kind { code: found.code, kept: 0, rest: None });
            self.kinds.len() - 1
        });
        let kind = &mut self.kinds[place];
        if kind.kept < MOST {
            kind.kept += 1;
            self.list.push(found);
            let last = self.list.len() - 1;
            return &mut self.list[last];
        }
        let (count, span) = kind.rest.as_ref().map_or((0, found.span), |rest| (rest.count, rest.span));
        kind.rest.insert(Diagnostic { count: count.saturating_add(found.count), span, ..found })
    }

    /// The findings kept so far.
    pub fn kept(&self) -> &[Diagnostic] {
        &self.list
    }

    /// Returns the findings, in the order in which they came, and behind them those that stand for others.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        let mut list = self.list;
        list.extend(self.kinds.into_iter().filter_map(|kind| kind.rest).map(|rest| {
            let message = format!("and {} more findings like it", rest.count);
            Diagnostic { message, ..rest }
        }));
        list
    }
}

impl Extend<Diagnostic> for Findings {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, found: I) {
        for found in found {
            self.push(found);
        }
    }
}
