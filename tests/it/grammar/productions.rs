//! Each production has a parser of its name, and each parser a production. Of the grammar of records, sentences are read
//! instead: its longer productions are assembled by the reader.

use std::collections::BTreeSet;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Expr, Item, ReturnType, Signature, Type, Visibility};

use crate::ebnf::Grammar;
use crate::support::sources::{Source, sources};

/// The grammars, and the files that hold their parsers.
const FILES: [(&str, &str); 7] = [
    ("fen.ebnf", "src/notation/fen/grammar.rs"),
    ("gametype.ebnf", "src/notation/game_type.rs"),
    ("timecontrol.ebnf", "src/notation/time_control.rs"),
    ("search.ebnf", "src/query/grammar.rs"),
    ("ldf.ebnf", "src/import/grammar/ldf.rs"),
    ("turbo.ebnf", "src/import/grammar/turbo.rs"),
    ("json.ebnf", "src/import/grammar/json.rs"),
];

/// The results of productions: each grammar has one.
const RESULTS: [&str; 2] = ["Parsed", "Production"];

/// A function that returns `Parsed` or `Production`.
struct Function {
    name: String,
    public: bool,
}

/// Returns true if a function returns `Parsed` or `Production`.
fn is_parser(signature: &Signature) -> bool {
    let ReturnType::Type(_, output) = &signature.output else { return false };
    let Type::Path(path) = &**output else { return false };
    path.path.segments.last().is_some_and(|last| RESULTS.iter().any(|name| last.ident == name))
}

/// The parsers of a file; the name of `r#move` is `move`.
fn parsers(path: &str) -> Vec<Function> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path);
    let file = syn::parse_file(&text).expect(path);
    let functions = file.items.into_iter().filter_map(|item| match item {
        Item::Fn(function) => Some(function),
        _ => None,
    });
    let parsers = functions.filter(|function| is_parser(&function.sig));
    let function = |function: syn::ItemFn| Function {
        name: function.sig.ident.to_string().trim_start_matches("r#").to_owned(),
        public: !matches!(function.vis, Visibility::Inherited),
    };
    parsers.map(function).collect()
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is the result")]
fn every_production_has_its_parser() {
    for (grammar, path) in FILES {
        let functions = parsers(path);
        let productions: BTreeSet<String> =
            Grammar::read(grammar).names().map(|name| name.replace(' ', "_").to_lowercase()).collect();
        println!("{grammar:<18} {path}");
        for production in &productions {
            let parser = functions.iter().find(|function| function.name == *production);
            println!("  {production:<16} {}", parser.map_or("-", |parser| parser.name.as_str()));
            assert!(parser.is_some(), "{grammar}: no parser of `{production}` in {path}");
        }
        for Function { name, .. } in functions.iter().filter(|function| function.public) {
            assert!(productions.contains(name), "{path}: no production of `{name}` in {grammar}");
        }
    }
}

#[test]
fn every_grammar_of_what_is_read_has_parsers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar");
    for entry in folder.read_dir().expect("the grammars") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        let known = FILES.iter().any(|(grammar, _)| *grammar == name);
        let has_sentences = ["movetext.ebnf", "reading.ebnf", "writing.ebnf"].contains(&name.as_str());
        assert!(known || has_sentences || name == "README.md", "{name}");
    }
}

/// The files whose parsers may look at single bytes.
const TUNED: [&str; 2] = ["pdn/grammar/primitive.rs", "pdn/reader/fast.rs"];

/// The parsers that loop, or take a byte or a part of the bytes by its index.
#[derive(Default)]
struct HandMade {
    parser: Option<String>,
    found: BTreeSet<String>,
}

impl HandMade {
    fn of(source: &Source) -> BTreeSet<String> {
        let file = syn::parse_file(source.text()).unwrap_or_else(|error| panic!("{}: {error}", source.path()));
        let mut hand_made = Self::default();
        hand_made.visit_file(&file);
        hand_made.found
    }
}

impl<'a> Visit<'a> for HandMade {
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.parser = is_parser(&item.sig).then(|| item.sig.ident.to_string());
        self.visit_block(&item.block);
        self.parser = None;
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if matches!(expression, Expr::ForLoop(_) | Expr::Index(_) | Expr::Loop(_) | Expr::While(_)) {
            self.found.extend(self.parser.clone());
        }
        visit::visit_expr(self, expression);
    }
}

#[test]
fn parsers_are_made_of_combinators() {
    let mut found = Vec::new();
    for source in sources("src").iter().filter(|source| !TUNED.contains(&source.path())) {
        found.extend(HandMade::of(source).into_iter().map(|name| format!("{}: {name}", source.path())));
    }
    assert!(found.is_empty(), "{found:#?}");
    let example = Source::new("a.rs", "fn a() -> Parsed<'_> { for _ in b {} } fn c() -> usize { d[0] }");
    assert_eq!(HandMade::of(&example), BTreeSet::from(["a".to_owned()]));
}
