//! Asks whether a text is a sentence of a grammar: all ways to read it are followed at once.

use std::collections::HashMap;
use std::rc::Rc;

use super::{Expression, Grammar};

/// Where readings of a part may end, in order, each place once.
type Ends = Rc<[usize]>;

/// What an expression is to the text: a part of it, or something that is made of parts.
pub(crate) enum Leaf {
    /// It ends here, or does not fit at all.
    Ends(Option<usize>),
    /// It is made of others.
    Inner,
}

/// Matches the rules of some grammars against a text that only `leaf` knows.
pub(crate) struct Matcher<'a, F> {
    grammars: &'a [&'a Grammar],
    leaf: F,
    known: HashMap<(&'a str, usize), Ends>,
}

impl<'a, F: Fn(&Expression, usize) -> Leaf> Matcher<'a, F> {
    pub(crate) fn new(grammars: &'a [&'a Grammar], leaf: F) -> Self {
        Self { grammars, leaf, known: HashMap::new() }
    }

    /// Returns where a rule that begins at this place may end.
    pub(crate) fn rule(&mut self, name: &'a str, at: usize) -> Ends {
        if let Some(known) = self.known.get(&(name, at)) {
            return Rc::clone(known);
        }
        let rule = self.grammars.iter().find_map(|grammar| grammar.rule(name));
        let found = self.ends(rule.unwrap_or_else(|| panic!("there is no rule {name}")), at);
        self.known.insert((name, at), Rc::clone(&found));
        found
    }

    fn ends(&mut self, expression: &'a Expression, at: usize) -> Ends {
        if let Leaf::Ends(end) = (self.leaf)(expression, at) {
            return end.into_iter().collect();
        }
        match expression {
            Expression::Choice(list) => sorted(list.iter().flat_map(|item| self.ends(item, at).to_vec()).collect()),
            Expression::Sequence(list) => list.iter().fold([at].into(), |places: Ends, item| {
                sorted(places.iter().flat_map(|&at| self.ends(item, at).to_vec()).collect())
            }),
            Expression::Optional(inner) => sorted(self.ends(inner, at).iter().copied().chain([at]).collect()),
            Expression::Repeated(inner) => self.repeated(inner, at),
            Expression::Rule(name) => self.rule(name, at),
            Expression::Terminal(_) | Expression::Range(..) | Expression::Words(_) => Ends::default(),
        }
    }

    fn repeated(&mut self, inner: &'a Expression, at: usize) -> Ends {
        let (mut all, mut new) = (vec![at], vec![at]);
        while let Some(at) = new.pop() {
            for &end in self.ends(inner, at).iter() {
                // New places nearly always lie behind all others.
                if all.last().is_some_and(|&last| last < end) || !all.contains(&end) {
                    all.push(end);
                    new.push(end);
                }
            }
        }
        sorted(all)
    }
}

fn sorted(mut places: Vec<usize>) -> Ends {
    places.sort_unstable();
    places.dedup();
    places.into()
}
