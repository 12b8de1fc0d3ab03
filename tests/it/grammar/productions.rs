//! Each production has a parser of its name, and each parser a production.

use std::collections::BTreeSet;
use std::path::Path;

use syn::{Item, ReturnType, Type, Visibility};

use crate::ebnf::Grammar;

/// The grammars, and the files that hold their parsers.
const FILES: [(&str, &str); 6] = [
    ("movetext.ebnf", "src/pdn/grammar/movetext.rs"),
    ("reading.ebnf", "src/pdn/grammar/reading.rs"),
    ("fen.ebnf", "src/notation/grammar/fen.rs"),
    ("gametype.ebnf", "src/notation/grammar/gametype.rs"),
    ("timecontrol.ebnf", "src/notation/grammar/timecontrol.rs"),
    ("search.ebnf", "src/query/grammar.rs"),
];

/// A function that returns `Parsed`.
struct Function {
    name: String,
    public: bool,
}

/// The parsers of a file; the name of `r#move` is `move`.
fn parsers(path: &str) -> Vec<Function> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path);
    let file = syn::parse_file(&text).expect(path);
    let functions = file.items.into_iter().filter_map(|item| match item {
        Item::Fn(function) => Some(function),
        _ => None,
    });
    let parsers = functions.filter(|function| match &function.sig.output {
        ReturnType::Type(_, output) => {
            matches!(&**output, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Parsed"))
        }
        ReturnType::Default => false,
    });
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
        assert!(known || name == "writing.ebnf" || name == "README.md", "{name}");
    }
}
