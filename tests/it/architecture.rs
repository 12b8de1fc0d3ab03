//! The rooms of the house: which room may use which, and what only some of them may do. Sources are parsed with `syn`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

use crate::support::sources::{Source, sources};

/// Each room with its layer and the rooms it may use, besides those that these may use. All rooms may use `error`.
const ROOMS: [(&str, u8, &[&str]); 31] = [
    ("error", 0, &[]),
    ("options", 0, &[]),
    ("journal", 0, &[]),
    ("pool", 0, &[]),
    ("shared", 0, &[]),
    ("strengths", 0, &[]),
    ("board", 0, &[]),
    ("text", 0, &[]),
    ("diag", 0, &["text", "options"]),
    ("pdn", 1, &["diag"]),
    ("source", 1, &["pdn", "pool"]),
    ("rules", 1, &["board"]),
    ("notation", 2, &["rules", "pdn"]),
    ("import", 2, &["pdn", "notation"]),
    ("egdb", 2, &["rules", "pool", "shared"]),
    ("engine", 2, &["rules", "egdb", "options"]),
    ("shots", 3, &["rules", "text"]),
    ("replay", 3, &["notation", "import"]),
    ("check", 4, &["replay", "egdb", "source"]),
    ("canon", 4, &["replay"]),
    ("records", 4, &["check"]),
    ("edit", 4, &["records", "canon"]),
    ("link", 4, &["records", "engine"]),
    ("annotate", 5, &["records", "shots", "link", "journal"]),
    ("arena", 5, &["check", "link", "journal", "strengths"]),
    ("query", 5, &["edit", "shots", "strengths"]),
    ("export", 6, &["records", "canon", "query"]),
    ("report", 7, &["export"]),
    ("calls", 8, &["annotate", "report", "edit"]),
    ("serve", 8, &["calls"]),
    ("cli", 8, &["arena", "serve"]),
];

/// The rooms that may use nom.
const PARSING_ROOMS: [&str; 4] = ["pdn", "notation", "import", "query"];

const MAX_LINES: usize = 700;

/// Public fields of public structs, except for the rows in `records`, which are plain data, and the options of commands, which are read
/// from the command line and from JSON. Lower it when fields become private.
const MAX_PUBLIC_FIELDS: usize = 93;

/// Facts about the code of a file, without its tests.
#[derive(Default)]
struct Facts {
    /// Names after `crate::`.
    rooms: BTreeSet<String>,
    /// First segments of all paths.
    heads: BTreeSet<String>,
    /// Names imported from nom.
    nom_names: BTreeSet<String>,
    /// Names of macros that are called.
    macros: BTreeSet<String>,
    /// Last two segments of all paths, joined by `::`.
    tails: BTreeSet<String>,
    strings: Vec<String>,
    public_types: Vec<String>,
    public_fields: usize,
    /// Names in the signatures of public items.
    signature_names: BTreeSet<String>,
}

impl Facts {
    fn of(source: &Source) -> Self {
        let file = syn::parse_file(source.text()).unwrap_or_else(|error| panic!("{}: {error}", source.path()));
        let mut facts = Self::default();
        facts.visit_file(&file);
        facts
    }

    fn path(&mut self, segments: &[String]) {
        self.heads.extend(segments.first().cloned());
        if let [first, second, ..] = segments
            && first == "crate"
        {
            self.rooms.insert(second.clone());
        }
        if let [.., last, end] = segments {
            self.tails.insert(format!("{last}::{end}"));
        }
    }

    fn use_tree(&mut self, tree: &UseTree, prefix: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.use_tree(&path.tree, prefix);
                prefix.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.use_tree(tree, prefix)),
            UseTree::Name(name) => self.import(&name.ident.to_string(), &name.ident.to_string(), prefix),
            UseTree::Rename(rename) => self.import(&rename.ident.to_string(), &rename.rename.to_string(), prefix),
            UseTree::Glob(_) => self.path(&[prefix.as_slice(), &["*".to_owned()]].concat()),
        }
    }

    fn import(&mut self, name: &str, local: &str, prefix: &[String]) {
        if prefix.first().is_some_and(|first| first == "nom") {
            self.nom_names.insert(local.to_owned());
        }
        self.path(&[prefix, &[name.to_owned()]].concat());
    }

    /// Notes the paths in the arguments of a macro, which `syn` does not parse.
    fn tokens(&mut self, tokens: &str) {
        for part in tokens.split("crate :: ").skip(1) {
            let name: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            self.rooms.insert(name);
        }
    }

    /// Notes the names in the signature of a public item.
    fn signature(&mut self, visit: impl FnOnce(&mut PathNames)) {
        let mut names = PathNames::default();
        visit(&mut names);
        self.signature_names.extend(names.0);
    }
}

/// The names in the paths of a piece of syntax.
#[derive(Default)]
struct PathNames(BTreeSet<String>);

impl<'a> Visit<'a> for PathNames {
    fn visit_path(&mut self, path: &'a syn::Path) {
        self.0.extend(path.segments.iter().map(|segment| segment.ident.to_string()));
        visit::visit_path(self, path);
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Returns true if an item is compiled for tests only.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| {
                let condition = list.tokens.to_string();
                condition == "test" || condition.starts_with("all (test")
            })
    })
}

/// Returns true if a struct has the options of a command.
fn is_command_line(attributes: &[Attribute]) -> bool {
    let mut lists = attributes.iter().filter_map(|attribute| attribute.meta.require_list().ok());
    lists.any(|list| list.tokens.to_string().contains("clap :: Args"))
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

impl<'a> Visit<'a> for Facts {
    fn visit_item(&mut self, item: &'a Item) {
        if is_test(attributes(item)) {
            return;
        }
        match item {
            Item::Use(item) => self.use_tree(&item.tree, &mut Vec::new()),
            Item::Enum(item) if is_public(&item.vis) => self.public_types.push(item.ident.to_string()),
            Item::Trait(item) if is_public(&item.vis) => self.public_types.push(item.ident.to_string()),
            Item::Type(item) if is_public(&item.vis) => {
                self.public_types.push(item.ident.to_string());
                self.signature(|names| names.visit_type(&item.ty));
            }
            Item::Struct(item) if is_public(&item.vis) => {
                self.public_types.push(item.ident.to_string());
                for field in item.fields.iter().filter(|field| is_public(&field.vis)) {
                    self.public_fields += usize::from(!is_command_line(&item.attrs));
                    self.signature(|names| names.visit_type(&field.ty));
                }
            }
            Item::Fn(item) if is_public(&item.vis) => self.signature(|names| names.visit_signature(&item.sig)),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        if is_public(&item.vis) {
            self.signature(|names| names.visit_signature(&item.sig));
        }
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_attribute(&mut self, _: &'a Attribute) {}

    fn visit_path(&mut self, path: &'a syn::Path) {
        let segments: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.path(&segments);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.macros.extend(call.path.segments.last().map(|segment| segment.ident.to_string()));
        self.tokens(&call.tokens.to_string());
        self.strings.push(call.tokens.to_string());
        visit::visit_macro(self, call);
    }

    fn visit_lit_str(&mut self, text: &'a syn::LitStr) {
        self.strings.push(text.value());
    }
}

/// The sources with their facts, read once for all tests: it takes a second and a half.
fn known() -> &'static [(Source, Facts)] {
    static KNOWN: LazyLock<Vec<(Source, Facts)>> = LazyLock::new(|| {
        let with_facts = |source| {
            let facts = Facts::of(&source);
            (source, facts)
        };
        sources("src").into_iter().map(with_facts).collect()
    });
    &KNOWN
}

/// Returns the rooms that each room may use, transitively.
fn allowed() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut allowed: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (room, _, uses) in ROOMS {
        let mut all = BTreeSet::from([room, "error"]);
        for used in uses {
            all.insert(used);
            all.extend(allowed[used].iter().copied());
        }
        allowed.insert(room, all);
    }
    allowed
}

#[test]
fn rooms_of_the_table_use_no_higher_layer() {
    let layers: BTreeMap<_, _> = ROOMS.iter().map(|(room, layer, _)| (*room, *layer)).collect();
    for (room, layer, uses) in ROOMS {
        assert!(uses.iter().all(|used| layers[used] <= layer), "{room}");
    }
    assert_eq!(allowed()["cli"].len(), ROOMS.len(), "cli may use every room");
}

#[test]
fn rooms_use_only_the_rooms_they_may() {
    let allowed = allowed();
    let mut violations = Vec::new();
    for (source, facts) in known().iter().filter(|(source, _)| !["lib", "main"].contains(&source.room())) {
        let may = allowed.get(source.room());
        let may = may.unwrap_or_else(|| panic!("{}: the room is not in the table", source.path()));
        for used in &facts.rooms {
            // Capitalized names are the error types at the root of the crate.
            if !used.starts_with(char::is_uppercase) && !may.contains(used.as_str()) {
                violations.push(format!("{} uses {used}", source.path()));
            }
        }
    }
    assert!(violations.is_empty(), "{violations:#?}");
}

#[test]
fn nom_stays_in_the_parsing_rooms() {
    for (source, facts) in known() {
        if PARSING_ROOMS.contains(&source.room()) {
            let leaked: Vec<_> = facts.signature_names.intersection(&facts.nom_names).collect();
            assert!(leaked.is_empty(), "{}: {leaked:?} in a public signature", source.path());
            assert!(!facts.signature_names.contains("nom"), "{}: nom in a public signature", source.path());
        } else {
            assert!(!facts.heads.contains("nom"), "{} uses nom", source.path());
        }
    }
}

#[test]
fn only_the_command_line_prints() {
    for (source, facts) in known().iter().filter(|(source, _)| !["cli", "main"].contains(&source.room())) {
        for name in ["print", "println", "eprint", "eprintln", "dbg"] {
            assert!(!facts.macros.contains(name), "{} calls {name}!", source.path());
        }
        for name in ["io::stdout", "io::stderr"] {
            assert!(!facts.tails.contains(name), "{} uses {name}", source.path());
        }
    }
}

#[test]
fn only_the_command_line_names_its_options() {
    let mut violations = Vec::new();
    for (source, facts) in known().iter().filter(|(source, _)| source.room() != "cli") {
        let named = facts.strings.iter().filter(|text| names_an_option(text));
        violations.extend(named.map(|text| format!("{}: {text}", source.path())));
    }
    assert!(violations.is_empty(), "{violations:#?}");
}

fn names_an_option(text: &str) -> bool {
    let starts_option = |(at, _): (usize, &str)| {
        text[at + 2..].starts_with(|c: char| c.is_ascii_lowercase())
            && !text[..at].ends_with(|c: char| !c.is_whitespace())
    };
    text.match_indices("--").any(starts_option)
}

#[test]
fn public_types_have_different_names() {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (source, facts) in known() {
        for name in &facts.public_types {
            files.entry(name.clone()).or_default().push(source.path().to_owned());
        }
    }
    files.retain(|_, files| files.len() > 1);
    assert!(files.is_empty(), "{files:#?}");
}

#[test]
fn public_fields_do_not_grow() {
    let outside_rows = known().iter().filter(|(source, _)| source.room() != "records");
    let fields: usize = outside_rows.map(|(_, facts)| facts.public_fields).sum();
    assert!(fields <= MAX_PUBLIC_FIELDS, "{fields} public fields, at most {MAX_PUBLIC_FIELDS}");
}

#[test]
fn files_are_small() {
    for source in sources("src") {
        let lines = source.text().lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines", source.path());
    }
}

#[test]
fn facts_are_read_from_code_and_not_from_tests() {
    let source = Source::new(
        "pdn/a.rs",
        "use crate::{a::{b, c}, d}; use nom::{IResult, Parser as P};
         #[cfg(test)] mod tests { use crate::x; }
         pub struct S { pub f: crate::e::F, g: u8 }
         pub fn f() -> IResult<(), ()> { println!(\"{}\", crate::h::i()); \"--all\".len() }",
    );
    let facts = Facts::of(&source);
    assert_eq!(facts.rooms.iter().collect::<Vec<_>>(), ["a", "d", "e", "h"]);
    assert_eq!(facts.nom_names.iter().collect::<Vec<_>>(), ["IResult", "P"]);
    assert!(facts.signature_names.contains("IResult") && facts.macros.contains("println"));
    assert_eq!((facts.public_fields, facts.public_types.as_slice()), (1, &["S".to_owned()][..]));
    assert!(facts.strings.iter().any(|text| names_an_option(text)));
    assert!(!names_an_option("1--2") && !names_an_option("-- "));
}
