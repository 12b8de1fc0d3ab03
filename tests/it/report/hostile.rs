//! Records that try to run something.

use crate::support::binary::Folder;
use crate::support::browser::Browser;

/// Texts that would do something if a page took them for more than text.
pub(super) const TEXTS: [&str; 9] = [
    "</script><script>window.reached = 1</script>",
    "<img src=x onerror='window.reached = 2'>",
    "<!-- <script>window.reached = 3",
    "' onclick='window.reached = 4",
    "javascript:window.reached=5",
    "\u{202e}gnp.exe\u{2066} \u{2028}\u{2029}",
    "$(window.reached = 6) `window.reached = 7`",
    "https://example.com/a.png",
    "\u{1}\u{7f}\u{9f}\\u003cscript\\u003e &lt;b&gt;",
];

fn record(text: &str) -> String {
    let tag = text.replace('"', "'");
    format!(
        "[Event \"{tag}\"]\n[Site \"{tag}\"]\n[Date \"{tag}\"]\n[Round \"{tag}\"]\n[White \"{tag}\"]\n[Black \"{tag}\"]\n\
         [WhiteRating \"{tag}\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n\n{{{tag}}} 1. 32-28 {{[%eval 0.1] {tag}}} \
         ({{{tag}}} 1. 31-27 {{{tag}}}) 19-23 {{[%csl X99][%cal <b>-<b>]}} *\n\n"
    )
}

#[test]
fn hostile_text_is_only_shown() {
    let folder = Folder::with("games.pdn", TEXTS.map(record).concat());
    folder.run(&["report", "games.pdn", "-o", "report.html"]).is(0);
    let Some(mut browser) = Browser::start() else { return };
    for (number, text) in (1..).zip(TEXTS) {
        browser.open(&folder.path("report.html"), &format!("#game={number}&ply=1"));
        let shown = browser.text("document.querySelector('#moves .comment').textContent");
        if text.is_ascii() && !text.contains('\u{1}') {
            assert_eq!(shown, text);
        }
        assert!(!shown.contains(['\u{202e}', '\u{2066}', '\u{2028}', '\u{1}']), "{shown:?}");
        browser.click("#games a");
        browser.press("End");
        browser.press("f");
    }
    assert_eq!(browser.value("window.reached ?? null"), serde_json::Value::Null);
    assert_eq!(browser.value("document.querySelectorAll('img, iframe, object, [onclick], [onerror]').length"), 0);
    browser.is_quiet(&["report.html"]);
}

#[test]
fn the_policy_stops_what_the_page_does_not_have() {
    let folder = super::folder();
    let Some(mut browser) = Browser::start() else { return };
    browser.open(&folder.path("report.html"), "");
    let inject = "(() => { const script = document.createElement('script'); try { script.textContent = 'window.reached = 1'; \
                  document.body.append(script); } catch { return true; } return window.reached === undefined; })()";
    assert_eq!(browser.value(inject), true);
    let markup = "(() => { try { document.body.innerHTML = '<b>'; return false; } catch { return true; } })()";
    assert_eq!(browser.value(markup), true);
    let request = "fetch('report.html').then(() => false, () => true)";
    assert_eq!(browser.value(request), true);
}
