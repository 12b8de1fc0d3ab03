//! The pages of `docs` form a book: each is in its table of contents, links lead somewhere, and the first pages for each kind of
//! reader work with nothing but the program and the files of the book.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::walkthrough::{commands, require_as_shown, run};
use crate::support::binary::Folder;
use crate::support::sources::root;

const CONTENTS: &str = include_str!("../../../docs/SUMMARY.md");

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect(path)
}

/// The page that `.ci/book` makes.
const GENERATED: &str = "commands.md";

/// Returns the pages of the book, as names in `docs`.
fn pages() -> BTreeSet<String> {
    let names = fs::read_dir(root().join("docs")).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned()).filter(|name| name != GENERATED);
    names.filter(|name| Path::new(name).extension().is_some_and(|end| end == "md") && name != "SUMMARY.md").collect()
}

/// Returns the targets of the links and pictures of a page, outside code.
fn links(page: &str) -> Vec<&str> {
    let outside = page.split("```").step_by(2);
    outside.flat_map(|text| text.split("](").skip(1)).filter_map(|rest| Some(rest.split_once(')')?.0)).collect()
}

/// Returns the anchors of the headings of a page, as code hosts and mdBook make them.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = page.split("```").step_by(2).flat_map(str::lines).filter(|line| line.starts_with('#'));
    let names = headings.map(|line| line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-"));
    names.map(|name| name.chars().filter(|&c| c.is_alphanumeric() || c == '-' || c == '_').collect()).collect()
}

/// Returns what is wrong with a link of a page, which is a path from the root.
fn dead(page: &str, link: &str) -> Option<String> {
    if link.contains("://") {
        return None;
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let target = if path.is_empty() { root().join(page) } else { root().join(page).parent()?.join(path) };
    if target == root().join("docs").join(GENERATED) {
        return None;
    }
    if !target.exists() {
        return Some(format!("{page}: {link} does not exist"));
    }
    let anchors = anchors(&fs::read_to_string(&target).unwrap_or_default());
    anchor.filter(|anchor| !anchors.contains(*anchor)).map(|_| format!("{page}: {link} has no such heading"))
}

#[test]
fn every_page_is_in_the_contents_once() {
    let listed = links(CONTENTS);
    let written = listed.iter().filter(|&&name| name != GENERATED).map(|&name| name.to_owned());
    assert_eq!(written.collect::<BTreeSet<_>>(), pages());
    assert_eq!(listed.len(), pages().len() + 1, "a page is listed twice, or the one of commands is not");
}

#[test]
fn links_lead_to_files_and_headings() {
    let book = pages().into_iter().map(|name| format!("docs/{name}"));
    let others = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "python/README.md", "release/README.md"];
    let mut dead_links = Vec::new();
    for page in book.chain(others.map(str::to_owned)) {
        let text = text(&page);
        dead_links.extend(links(&text).into_iter().filter_map(|link| dead(&page, link)));
    }
    assert!(dead_links.is_empty(), "{}", dead_links.join("\n"));
}

#[test]
fn dead_links_are_found() {
    assert!(dead("docs/check.md", "convert.md#inputs-and-outputs").is_none());
    assert!(dead("docs/check.md", "convert.md#nothing").is_some_and(|reason| reason.contains("heading")));
    assert!(dead("docs/check.md", "../nothing.md").is_some_and(|reason| reason.contains("exist")));
}

/// Outside the book, mdBook would lead to pages that it does not make.
#[test]
fn pages_outside_the_book_are_not_linked_from_it() {
    for name in pages() {
        let page = text(&format!("docs/{name}"));
        let outside: Vec<_> = links(&page).into_iter().filter(|link| link.starts_with("../")).collect();
        assert!(outside.iter().all(|link| !link.contains(".md")), "{name}: {outside:?}");
    }
}

#[test]
fn the_first_minute_of_each_reader_goes_as_shown() {
    let first: Vec<_> = pages().into_iter().filter(|name| name.starts_with("first-")).collect();
    assert_eq!(first.len(), 6, "{first:?}");
    for name in first {
        let folder = Folder::with("club.pdn", text("docs/club.pdn"));
        folder.write("typed.pdn", text("docs/typed.pdn"));
        let page = text(&format!("docs/{name}"));
        let commands = commands(&page);
        assert!(commands.len() >= 3, "{name}: {} commands", commands.len());
        for (line, shown) in commands {
            let (output, messages) = run(&folder, line);
            if !shown.is_empty() {
                require_as_shown(line, &(output + &messages), shown);
            }
            // What the reader does with an editor.
            if line == "check typed.pdn" {
                folder.write("typed.pdn", folder.read("typed.pdn").replace("33-19", "33-29"));
            }
        }
    }
}
