//! Content security policies: a page allows its own script and style alone, by their hashes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// Returns the policy of a page with a style, and with a script if it has one: nothing else runs, and nothing is loaded.
pub(super) fn policy(script: Option<&str>, style: &str) -> String {
    let style = format!("style-src '{}'", source(style));
    script.map_or_else(
        || format!("default-src 'none'; {style}"),
        |script| {
            format!(
                "default-src 'none'; script-src '{}'; {style}; img-src data:; base-uri 'none'; form-action 'none'; \
                 require-trusted-types-for 'script'",
                source(script)
            )
        },
    )
}

/// Returns the source of a text in a policy: its SHA-256 in Base64.
fn source(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_standard() {
        // FIPS 180-4 has the hash of `abc` as its first example.
        assert_eq!(source("abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    }
}
