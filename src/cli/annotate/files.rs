//! The files of a run that writes one for each input.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use super::options::Layout;
use crate::cli::output::Growth;
use crate::error::{Error, Result};
use crate::source::Input;

/// Returns the file for each input, by its label, below a folder: with the names of the inputs, below the folders that were given, and the
/// extension of the format.
///
/// # Errors
///
/// If two inputs have the same file, or a file is an input.
pub(super) fn files_for(
    inputs: &[&Input],
    given: &[PathBuf],
    folder: &Path,
    layout: Layout,
) -> Result<HashMap<String, PathBuf>> {
    let labels = || inputs.iter().map(|input| input.label());
    let files: Vec<_> = labels().map(|label| file_for(label, given, folder, layout)).collect();
    let mut seen = HashSet::new();
    for file in &files {
        if !seen.insert(file) {
            return Err(Error::usage(format!("{}: two inputs would be written to this file", file.display())));
        }
        let is_input = |input: &&Input| input.path().is_some_and(|path| Growth::Visible.replaces(file, path));
        if inputs.iter().any(is_input) {
            return Err(Error::usage(format!("{}: the output would replace an input", file.display())));
        }
    }
    Ok(labels().map(str::to_owned).zip(files).collect())
}

fn file_for(label: &str, given: &[PathBuf], folder: &Path, layout: Layout) -> PathBuf {
    let path = if label == "-" { Path::new("stdin.pdn") } else { Path::new(label) };
    let below =
        given.iter().filter_map(|given| path.strip_prefix(given).ok()).min_by_key(|rest| rest.as_os_str().len());
    let rest = below.filter(|rest| !rest.as_os_str().is_empty()).or(path.file_name().map(Path::new)).unwrap_or(path);
    let normal = rest.components().filter(|part| matches!(part, Component::Normal(_)));
    normal.fold(folder.to_owned(), |path, part| path.join(part)).with_extension(layout.extension())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_the_names_of_inputs() {
        let given = [PathBuf::from("archive"), PathBuf::from("/x/b.pdn")];
        let file = |label, layout| file_for(label, &given, Path::new("out"), layout);
        assert_eq!(file("archive/1990/a.pdn", Layout::Pdn), Path::new("out/1990/a.pdn"));
        assert_eq!(file("/x/b.pdn", Layout::Moves), Path::new("out/b.csv"));
        assert_eq!(file("../c.pdn", Layout::Jsonl), Path::new("out/c.jsonl"));
        assert_eq!(file("-", Layout::Pdn), Path::new("out/stdin.pdn"));
    }
}
