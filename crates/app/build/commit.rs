//! Finds the commit of a source folder, without network. The build script and a test use this file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The number of characters of a commit that identify it.
const LENGTH: usize = 12;

/// The file in which `git archive` writes the commit, because of the line in `.gitattributes`.
const ARCHIVED: &str = "crates/app/build/archived-commit";

/// The commit of the source in this folder: by git, or from the file that an archive of the source contains.
pub(crate) fn of(root: &Path) -> Option<String> {
    by_git(root).or_else(|| archived(root))
}

/// The files that change with a commit.
pub(crate) fn watched(root: &Path) -> Vec<PathBuf> {
    let paths =
        ["HEAD", "logs/HEAD"].into_iter().filter_map(|name| git(root, &["rev-parse", "--git-path", name]));
    let found = paths.map(|path| root.join(path)).filter(|path| path.exists());
    found.chain([root.join(ARCHIVED)]).collect()
}

fn by_git(root: &Path) -> Option<String> {
    // The folder must be the top of a repository. A tarball may be unpacked inside another project's repository.
    root.join(".git").exists().then_some(())?;
    git(root, &["rev-parse", "HEAD"]).and_then(|commit| shortened(&commit))
}

fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

fn archived(root: &Path) -> Option<String> {
    shortened(fs::read_to_string(root.join(ARCHIVED)).ok()?.trim())
}

/// The beginning of a commit. `None` if the text is not a commit.
fn shortened(commit: &str) -> Option<String> {
    let is_commit = commit.len() >= LENGTH && commit.chars().all(|digit| digit.is_ascii_hexdigit());
    is_commit.then(|| commit[..LENGTH].to_owned())
}
