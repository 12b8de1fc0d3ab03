//! Diagnostics in other languages: nothing of them stays English.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pdn::text::Language;
use quote::ToTokens as _;
use syn::visit::{self, Visit};

use crate::support::binary::pdn;
use crate::support::sources::root;
