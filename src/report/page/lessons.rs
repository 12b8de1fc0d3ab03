//! A site of lessons: a page of exercises for each file, and an index.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

use super::solve::{ExerciseBlock, SolvePage};
use super::texts::solving_texts;
use super::{SiteFile, escaped, site, static_start};
use crate::text::Language;

const STYLE: &str = concat!("\n", include_str!("../../../web/app/parts/parts.css"), include_str!("event.css"));

/// The folder of the lessons, inside the folder of the site.
const LESSONS: &str = "lessons/";

/// A site of lessons, which are added one after the other.
#[derive(Debug)]
pub(crate) struct LessonSite {
    language: Language,
    title: Option<String>,
    /// The page that is being written, and its text up to now.
    current: Option<(SolvePage, String)>,
    /// The path of each page, its title and the number of its exercises.
    lessons: Vec<(String, String, u64)>,
    paths: HashSet<String>,
}

impl LessonSite {
    /// Returns a site without lessons, with a title or with the usual one.
    pub(crate) fn new(language: Language, title: Option<String>) -> Self {
        Self { language, title, current: None, lessons: Vec::new(), paths: HashSet::new() }
    }

    /// Returns the number of lessons that are complete.
    pub(crate) const fn lessons(&self) -> usize {
        self.lessons.len()
    }

    /// Returns the number of exercises in them.
    pub(crate) fn exercises(&self) -> u64 {
        self.lessons.iter().map(|(_, _, count)| count).sum()
    }

    /// Begins the lesson of a file, and returns the page before it.
    pub(crate) fn begin(&mut self, file: &str) -> Option<SiteFile> {
        let last = self.end();
        let title = Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let page = SolvePage::new(self.language, title.filter(|title| title != "-")).with_index();
        let start = page.start();
        self.current = Some((page, start));
        last
    }

    /// Adds an exercise to the lesson.
    pub(crate) fn add(&mut self, exercise: &ExerciseBlock) {
        if let Some((page, text)) = &mut self.current {
            text.push_str(&page.add(exercise));
        }
    }

    /// Ends the lesson, and returns its page if it has exercises.
    pub(crate) fn end(&mut self) -> Option<SiteFile> {
        let (page, text) = self.current.take().filter(|(page, _)| page.exercises > 0)?;
        let name = Some(site::slug(&page.title)).filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| "lesson".to_owned());
        let paths = (1_u32..).map(|n| if n == 1 { format!("{name}.html") } else { format!("{name}-{n}.html") });
        let path = paths.map(|file| format!("{LESSONS}{file}")).find(|path| !self.paths.contains(path))?;
        self.paths.insert(path.clone());
        self.lessons.push((path.clone(), page.title.clone(), page.exercises));
        Some((path, text + &SolvePage::end()))
    }

    /// Returns the index.
    pub(crate) fn index(&self) -> SiteFile {
        let texts = solving_texts(self.language);
        let text = |name: &str| texts.of(name).to_owned();
        let title = escaped(&self.title.clone().unwrap_or_else(|| text("lessons")));
        let mut page = static_start(self.language, &title, STYLE);
        // Writing to a string cannot fail.
        let _ = writeln!(page, "<h1>{title}</h1>\n<div class=\"scroll\"><table class=\"text\">");
        let _ =
            writeln!(page, "<tr><th>{}</th><th>{}</th></tr>", escaped(&text("lessons")), escaped(&text("exercises")));
        for (path, title, count) in &self.lessons {
            let (path, title) = (escaped(path), escaped(title));
            let _ = writeln!(page, "<tr><td><a href=\"{path}\">{title}</a></td><td>{count}</td></tr>");
        }
        page.push_str("</table></div>\n</body>\n</html>\n");
        ("index.html".to_owned(), page)
    }
}
