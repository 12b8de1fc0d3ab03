//! The files of the application, with native functions instead of the WebAssembly module.

use hyper::StatusCode;
use hyper::header::{HeaderValue, REFERRER_POLICY};

use super::answer::{Answer, whole};

/// Declares the files: the path below the address, and the file.
macro_rules! assets {
    ($($path:literal $file:literal $media:ident,)*) => {
        const ASSETS: &[(&str, &str, &[u8])] = &[$(($path, $media, include_bytes!(concat!("../../web/", $file)))),*];
    };
}

const CSS: &str = "text/css; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const TEXT: &str = "text/plain; charset=utf-8";

assets! {
    "app.css" "app/app.css" CSS,
    "icon.svg" "app/icon.svg" SVG,
    "annotation.js" "app/annotation.js" SCRIPT,
    "app.js" "app/app.js" SCRIPT,
    "client.js" "app/client.js" SCRIPT,
    "changes.js" "app/changes.js" SCRIPT,
    "db.js" "app/db.js" SCRIPT,
    "files.js" "app/files.js" SCRIPT,
    "gif.js" "app/gif.js" SCRIPT,
    "place.js" "app/native/place.js" SCRIPT,
    "sound.js" "app/sound.js" SCRIPT,
    "store.js" "app/store.js" SCRIPT,
    "texts.js" "app/texts.js" SCRIPT,
    "tried.js" "app/tried.js" SCRIPT,
    "trust.js" "app/trust.js" SCRIPT,
    "ui.js" "app/ui.js" SCRIPT,
    "worker.js" "app/worker.js" SCRIPT,
    "pdn/pdn.js" "app/native/pdn.js" SCRIPT,
    "pdn/functions.js" "wasm/functions.js" SCRIPT,
    "parts/parts.css" "app/parts/parts.css" CSS,
    "parts/board.js" "app/parts/board.js" SCRIPT,
    "parts/dom.js" "app/parts/dom.js" SCRIPT,
    "parts/gameview.js" "app/parts/gameview.js" SCRIPT,
    "parts/graph.js" "app/parts/graph.js" SCRIPT,
    "parts/icons.js" "app/parts/icons.js" SCRIPT,
    "parts/link.js" "app/parts/link.js" SCRIPT,
    "parts/input.js" "app/parts/input.js" SCRIPT,
    "parts/model.js" "app/parts/model.js" SCRIPT,
    "parts/moves.js" "app/parts/moves.js" SCRIPT,
    "parts/players.js" "app/parts/players.js" SCRIPT,
    "parts/solving.js" "app/parts/solving.js" SCRIPT,
    "parts/texts.js" "app/parts/texts.js" SCRIPT,
    "parts/virtual.js" "app/parts/virtual.js" SCRIPT,
    "views/analyse.js" "app/views/analyse.js" SCRIPT,
    "views/check.js" "app/views/check.js" SCRIPT,
    "views/clock.js" "app/views/clock.js" SCRIPT,
    "views/collection.js" "app/views/collection.js" SCRIPT,
    "views/engine.js" "app/views/engine.js" SCRIPT,
    "views/folder.js" "app/views/folder.js" SCRIPT,
    "views/games.js" "app/views/games.js" SCRIPT,
    "views/hand.js" "app/views/hand.js" SCRIPT,
    "views/learn.js" "app/views/learn.js" SCRIPT,
    "views/open.js" "app/views/open.js" SCRIPT,
    "views/pane.js" "app/views/pane.js" SCRIPT,
    "views/play.js" "app/views/play.js" SCRIPT,
    "views/setup.js" "app/views/setup.js" SCRIPT,
    "views/share.js" "app/views/share.js" SCRIPT,
    "samples/annotated.pdn" "app/samples/annotated.pdn" TEXT,
    "samples/mistakes.pdn" "app/samples/mistakes.pdn" TEXT,
}

/// Returns a file of the application.
pub(super) fn asset(path: &str) -> Option<Answer> {
    let (_, media, content) = ASSETS.iter().find(|(name, ..)| *name == path)?;
    Some(whole(StatusCode::OK, media, *content))
}

/// Returns the page of the application. The policy in its head is for static sites; an answer has its own. It is not
/// installed as an application, since nothing of it works without this server.
pub(super) fn page() -> Answer {
    let page = String::from_utf8_lossy(include_bytes!("../../web/app/index.html"));
    let for_sites = ["<meta http-equiv=\"Content-Security-Policy\"", "<link rel=\"manifest\""];
    let kept: Vec<_> = page.lines().filter(|line| !for_sites.iter().any(|start| line.starts_with(start))).collect();
    whole(StatusCode::OK, HTML, kept.join("\n"))
}

/// Returns the page on which people sign in, with a notice for those who could not.
pub(super) fn sign_in(status: StatusCode, notice: &str) -> Answer {
    let page = include_str!("../../web/app/native/sign-in.html").replace("{{notice}}", notice);
    let mut answer = whole(status, HTML, page);
    // Without a referrer, browsers hide the origin of a form too, and it would be taken for that of another page.
    answer.headers_mut().insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    answer
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Adds the paths of the scripts and styles in a folder of the application.
    fn add(folder: &str, found: &mut BTreeSet<String>) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/app").join(folder);
        for entry in fs::read_dir(path).expect("a folder") {
            let name = entry.expect("an entry").file_name().into_string().expect("a name");
            if Path::new(&name).extension().is_some_and(|end| end == "js" || end == "css" || end == "pdn") {
                found.insert(format!("{folder}{name}"));
            }
        }
    }

    #[test]
    fn every_file_of_the_application_is_there() {
        let mut found = BTreeSet::new();
        for folder in ["", "parts/", "views/", "samples/"] {
            add(folder, &mut found);
        }
        // The service worker is for sites.
        found.remove("sw.js");
        let there: BTreeSet<_> = ASSETS.iter().map(|(path, ..)| (*path).to_owned()).collect();
        assert_eq!(found.difference(&there).collect::<Vec<_>>(), Vec::<&String>::new());
    }

    #[test]
    fn every_import_of_the_application_is_answered() {
        for (path, media, content) in ASSETS.iter().filter(|(_, media, _)| *media == SCRIPT) {
            let text = std::str::from_utf8(content).expect("text");
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let name = line.rsplit_once("from \"").expect("an address").1.trim_end_matches("\";");
                let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                let found = match name.strip_prefix("../") {
                    Some(rest) => rest.to_owned(),
                    None if folder.is_empty() => name.trim_start_matches("./").to_owned(),
                    None => format!("{folder}/{}", name.trim_start_matches("./")),
                };
                assert!(asset(&found).is_some(), "{path} ({media}): {name}");
            }
        }
    }
}
