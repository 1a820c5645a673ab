//! `bolts --version`, the manual page and completions.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::harness::binary;

#[path = "../../build/commit.rs"]
mod commit;

fn out(arguments: &[&str]) -> String {
    let output = binary().args(arguments).output().expect("it runs");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let options = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "commit.gpgsign=false"];
    let done =
        Command::new("git").arg("-C").arg(folder).args(options).args(arguments).output().expect("git runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).trim().to_owned()
}

#[test]
fn the_version_is_that_of_the_changes_and_names_its_source() {
    let version = out(&["--version"]);
    let number = env!("CARGO_PKG_VERSION");
    assert!(
        version.starts_with(&format!("bolts {number} (")) && version.trim_end().ends_with(')'),
        "{version}"
    );
    let changes = concat!(env!("CARGO_MANIFEST_DIR"), "/../../CHANGELOG.md");
    let changes = fs::read_to_string(changes).expect("CHANGELOG.md");
    let newest = changes.lines().find_map(|line| line.strip_prefix("## "));
    assert_eq!(newest, Some(number), "the newest entry of CHANGELOG.md");
}

#[test]
fn the_commit_is_found_in_a_repository_and_in_an_archive_of_it() {
    let folder = TempDir::new().expect("a folder");
    let (source, unpacked) = (folder.path().join("source"), folder.path().join("unpacked"));
    let file = "crates/app/build/archived-commit";
    fs::create_dir_all(source.join("crates/app/build")).expect("a folder");
    fs::create_dir(&unpacked).expect("a folder");
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for name in [file, ".gitattributes"] {
        fs::copy(repository.join(name), source.join(name)).expect(name);
    }
    assert_eq!(commit::of(&source), None, "neither git nor an archive");
    git(&source, &["init", "--quiet"]);
    git(&source, &["add", "."]);
    git(&source, &["commit", "--quiet", "--message", "Begin"]);
    let expected = git(&source, &["rev-parse", "HEAD"])[..12].to_owned();
    assert_eq!(commit::of(&source), Some(expected.clone()));
    assert!(commit::watched(&source).iter().any(|path| path.ends_with("HEAD")), "a new commit is noticed");

    let archive = folder.path().join("source.tar");
    git(&source, &["archive", "--output", archive.to_str().expect("a path"), "HEAD"]);
    let untarred = Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&unpacked).status();
    assert!(untarred.expect("tar runs").success());
    // An archive inside another project's repository does not get that project's commit.
    git(folder.path(), &["init", "--quiet"]);
    assert_eq!(commit::of(&unpacked), Some(expected));
}

#[test]
fn the_manual_has_every_command_and_the_completions_know_them() {
    let manual = out(&["manual"]);
    assert!(manual.contains(".TH bolts 1"), "{manual}");
    for command in ["BOLTS SERVE", "BOLTS ADMIN GRANT", "BOLTS WITHDRAWALS SETTLE", "BOLTS CONFIG EXAMPLE"] {
        assert!(manual.contains(&format!(".SH \"{command}\"")), "{command}");
    }
    assert!(manual.contains("BOLTS_PUBLIC_URL"));
    for shell in ["bash", "zsh", "fish"] {
        let script = out(&["completions", shell]);
        assert!(script.contains("same-provider") && script.contains("doctor"), "{shell}");
    }
}
