//! What machines read of a site: the map of its pages, and the feed of its latest games.

use std::fmt::Write as _;

use super::{Facts, Site, SiteFile, escaped};

/// Most addresses of a map, by its protocol.
const MAX_ADDRESSES: usize = 50_000;

/// Games of the feed.
const MAX_GAMES: usize = 50;

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const MAP: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";

/// Returns the map of pages at an address: a file, or more of them with a list if there are too many pages.
pub(crate) fn sitemap(base: &str, paths: &[String]) -> Vec<SiteFile> {
    let base = escaped(base.trim_end_matches('/'));
    let map = |paths: &[String]| {
        let urls = paths.iter().map(|path| format!("<url><loc>{base}/{}</loc></url>\n", escaped(path)));
        format!("{DECLARATION}<urlset {MAP}>\n{}</urlset>\n", urls.collect::<String>())
    };
    if paths.len() <= MAX_ADDRESSES {
        return vec![("sitemap.xml".to_owned(), map(paths))];
    }
    let mut list = format!("{DECLARATION}<sitemapindex {MAP}>\n");
    let mut files = Vec::new();
    for (n, part) in (1..).zip(paths.chunks(MAX_ADDRESSES)) {
        // Writing to a string cannot fail.
        let _ = writeln!(list, "<sitemap><loc>{base}/sitemap-{n}.xml</loc></sitemap>");
        files.push((format!("sitemap-{n}.xml"), map(part)));
    }
    list.push_str("</sitemapindex>\n");
    files.push(("sitemap.xml".to_owned(), list));
    files
}

impl Site {
    /// Returns the latest games, by their dates, as an Atom feed of a site at an address. Games without a full date are left out.
    pub(crate) fn feed(&self, base: &str) -> SiteFile {
        let base = escaped(base.trim_end_matches('/'));
        let dated = self.entries.iter().filter_map(|entry| Some((day(&entry.facts)?, entry)));
        let mut latest: Vec<_> = dated.collect();
        latest.sort_by(|(one, _), (other, _)| other.cmp(one));
        latest.truncate(MAX_GAMES);
        // Atom demands a time, of a feed without games too.
        let updated = latest.first().map_or("1970-01-01", |(day, _)| day);
        let mut feed = format!(
            "{DECLARATION}<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<title>{}</title>\n<id>{base}/</id>\n\
             <link href=\"{base}/\"/>\n<link rel=\"self\" href=\"{base}/feed.xml\"/>\n<updated>{updated}T00:00:00Z</updated>\n\
             <author><name>{0}</name></author>\n",
            escaped(&self.title)
        );
        for (day, entry) in &latest {
            let address = format!("{base}/{}", escaped(&entry.path));
            let _ = writeln!(
                feed,
                "<entry><title>{}</title><id>{address}</id><link href=\"{address}\"/><updated>{day}T00:00:00Z</updated>\
                 <summary>{}</summary></entry>",
                escaped(&entry.facts.title()),
                escaped(&entry.facts.description(self.language))
            );
        }
        feed.push_str("</feed>\n");
        ("feed.xml".to_owned(), feed)
    }
}

/// Returns a full date as `2026-01-02`.
fn day(facts: &Facts) -> Option<String> {
    let [Some(year), Some(month), Some(day)] = facts.day() else { return None };
    let is_date = (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    is_date.then(|| format!("{year:04}-{month:02}-{day:02}"))
}
