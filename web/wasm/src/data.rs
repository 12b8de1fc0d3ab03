//! The files of data that a page gives to the module: endgame databases and weights.

use pdn::egdb::build_in_tables;
use pdn::rules::Variant;
use pdn::{Error, Result};

/// Takes a file of data by its name: `international.egdb`, `international.pdnw`.
pub(crate) fn take(name: &str, bytes: Vec<u8>) -> Result<()> {
    let unusable = || Error::usage(format!("{name} is not a file of data of this version"));
    let (variant, extension) = name.split_once('.').ok_or_else(unusable)?;
    match extension {
        "egdb" => {
            let variant = Variant::by_name(variant).ok_or_else(unusable)?;
            // Tables are used as long as the module lives.
            if build_in_tables(variant, bytes.leak()) { Ok(()) } else { Err(unusable()) }
        }
        #[cfg(feature = "engine")]
        "pdnw" => crate::engine::take_weights(name, &bytes),
        _ => Err(unusable()),
    }
}
