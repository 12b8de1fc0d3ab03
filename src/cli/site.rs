//! The folder of a site: what is there already, and what is written.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::output::Output;
use super::words::count;
use crate::error::{Error, Result};

/// The list of the written files, which shows the stale pages.
const LIST: &str = "site.json";

/// The folders of a site of games, and that of one of lessons.
const FOLDERS: [&str; 4] = ["assets", "events", "games", "players"];
const LESSONS: &str = "lessons";

/// What was written of a site.
#[derive(Debug, Default, Deserialize, Serialize)]
struct Written {
    /// The paths of all files.
    files: BTreeSet<String>,
    /// The paths of the pages of the games, in their order.
    games: Vec<String>,
}

/// The folder of a site. Files that have the same content already are not written.
pub(super) struct SiteFolder {
    folder: PathBuf,
    /// True if the folder did not exist before.
    is_new: bool,
    before: Written,
    files: BTreeSet<String>,
    changed: u64,
}

impl SiteFolder {
    /// Opens a folder for a site of games or of lessons, or makes one. The site will have some pages beside those of games and lessons.
    ///
    /// # Errors
    ///
    /// If it cannot be made, or has a list that is not one of a site, or a site of the other kind, whose pages would be removed, or one of
    /// the pages that no site has in its list.
    pub(super) fn open(folder: &Path, has_lessons: bool, pages: &[&str]) -> Result<Self> {
        let is_new = !folder.exists();
        let before = match read_list(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => Written::default(),
            found => found.map_err(|error| Error::read(folder.join(LIST), error))?,
        };
        let is_lesson = |path: &String| path.starts_with(LESSONS);
        let (lessons, others): (Vec<_>, Vec<_>) =
            before.files.iter().filter(|path| path.contains('/')).partition(|path| is_lesson(path));
        if !(if has_lessons { others } else { lessons }).is_empty() {
            let kind = if has_lessons { "games" } else { "lessons" };
            return Err(Error::usage(format!("{}: a site of {kind}: use another folder", folder.display())));
        }
        if let Some(page) = pages.iter().find(|page| !before.files.contains(**page) && folder.join(page).exists()) {
            let page = folder.join(page);
            let text = format!("{} is not a page of a site: use another folder, or remove it", page.display());
            return Err(Error::usage(text));
        }
        let folders = if has_lessons { &[LESSONS][..] } else { &FOLDERS };
        for name in folders {
            let folder = folder.join(name);
            fs::create_dir_all(&folder).map_err(|error| Error::write(&folder, error))?;
        }
        Ok(Self { folder: folder.to_owned(), is_new, before, files: BTreeSet::new(), changed: 0 })
    }

    /// Writes a file, unless it has this content already.
    pub(super) fn write(&mut self, (path, content): (String, impl AsRef<[u8]>)) -> Result<()> {
        let content = content.as_ref();
        let target = self.folder.join(&path);
        self.files.insert(path);
        // A file that keeps its time is not copied again by programs that compare folders.
        if fs::read(&target).is_ok_and(|existing| existing == content) {
            return Ok(());
        }
        self.changed += 1;
        let mut out = Output::new(Some(&target))?;
        out.bytes(content)?;
        out.finish()
    }

    /// Returns the paths of the pages that were written.
    pub(super) fn pages(&self) -> Vec<String> {
        self.files.iter().filter(|path| path.rsplit_once('.').is_some_and(|(_, end)| end == "html")).cloned().collect()
    }

    /// Removes stale files of the site if requested, and writes the list. Returns a summary of the changes.
    pub(super) fn finish(mut self, games: &[String], is_complete: bool) -> Result<String> {
        let stale: Vec<_> = self.before.files.difference(&self.files).filter(|path| is_ours(path)).cloned().collect();
        let mut removed = 0;
        for path in stale {
            if is_complete {
                // What somebody removed is gone too.
                removed += u64::from(fs::remove_file(self.folder.join(path)).is_ok());
            } else {
                self.files.insert(path);
            }
        }
        let list = Written { files: self.files.clone(), games: games.to_vec() };
        let text = serde_json::to_string_pretty(&list).map_err(|error| Error::unavailable(error.to_string()))?;
        let changed = self.changed;
        self.write((LIST.to_owned(), text + "\n"))?;
        let removed = if removed > 0 { format!(", {} removed", count(removed, "file")) } else { String::new() };
        Ok(format!("{} written{removed}", count(changed, "file")))
    }

    /// Returns true if an earlier run wrote pages of games or lessons.
    pub(super) fn has_pages(&self) -> bool {
        ["games/", LESSONS].iter().any(|start| self.before.files.iter().any(|path| path.starts_with(start)))
    }

    /// Ends without having written anything, since the inputs have none of what the site shows: an existing site stays as it is.
    ///
    /// # Errors
    ///
    /// Unless the reason was reported.
    pub(super) fn leave(&self, what: &str, is_reported: bool) -> Result<()> {
        self.remove_new();
        let text = format!("no {what} in the inputs: the site in {} is left unchanged", self.folder.display());
        if is_reported { Ok(()) } else { Err(Error::usage(text)) }
    }

    /// Removes the folders that were made, if they are empty.
    fn remove_new(&self) {
        for name in FOLDERS.iter().chain([&LESSONS]) {
            let _ = fs::remove_dir(self.folder.join(name));
        }
        if self.is_new {
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

fn read_list(folder: &Path) -> std::io::Result<Written> {
    let text = fs::read_to_string(folder.join(LIST))?;
    serde_json::from_str(&text).map_err(std::io::Error::from)
}

/// Returns the paths of the pages of games in a site, in their order.
///
/// # Errors
///
/// If the folder has no site.
pub(super) fn addresses(folder: &Path) -> Result<Vec<String>> {
    let list = read_list(folder).map_err(|error| Error::read(folder.join(LIST), error))?;
    Ok(list.games)
}

/// Returns true for a path that a site can have written: the list is a file that others may have changed.
fn is_ours(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_plain =
        !name.starts_with('.') && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    is_plain
        && match folder {
            "" => {
                name.starts_with("sitemap") && end == "xml"
                    || ["app.html", "feed.xml", "index.html", "players.html", "events.html"].contains(&name)
            }
            "assets" => ["js", "css"].contains(&end),
            "games" => ["html", "png"].contains(&end),
            "players" | "events" | LESSONS => end == "html",
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_a_site_are_removed() {
        for path in [
            "games/a-b-2024-0123456789.html",
            "games/a-b-2024-0123456789.png",
            "players/x.html",
            "events/x-2.html",
            "lessons/x.html",
            "sitemap.xml",
            "sitemap-3.xml",
            "feed.xml",
            "assets/report.js",
        ] {
            assert!(is_ours(path), "{path}");
        }
        for path in [
            "../a.html",
            "games/../../a.html",
            "games/a.pdn",
            "/etc/passwd",
            "a.html",
            "games/.a.html",
            "games\\a.html",
            "C:a.html",
            "games/x/a.html",
            "",
            "site.json",
            "CNAME",
            "assets/logo.png",
        ] {
            assert!(!is_ours(path), "{path}");
        }
    }
}
