//! `docs/reliability.md` names a test for each fault and attack. Checks that the tests exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The number of rows of the table of faults and attacks.
const ROWS: usize = 45;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder with one of these endings, without installed packages.
fn files(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            if !entry.ends_with("node_modules") && !entry.ends_with("target") {
                files(&entry, endings, found);
            }
        } else if endings.iter().any(|ending| entry.to_string_lossy().ends_with(ending)) {
            found.push(entry);
        }
    }
}

fn texts(folder: &str, endings: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    files(&root().join(folder), endings, &mut found);
    found.iter().map(|file| fs::read_to_string(file).expect("text")).collect()
}

/// The names of all Rust tests: functions after `#[test]`, perhaps with other attributes and comments between the two.
/// The contract tests of a store are lines of a macro and are not included.
fn rust_tests() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for text in texts("crates", &[".rs"]) {
        let mut is_test = false;
        for line in text.lines().map(str::trim) {
            match line.strip_prefix("fn ").and_then(|rest| rest.split('(').next()) {
                Some(name) => {
                    if is_test {
                        names.insert(name.to_owned());
                    }
                    is_test = false;
                }
                None if line == "#[test]" => is_test = true,
                None => {}
            }
        }
    }
    names
}

/// The parts of a text between pairs of this mark.
fn between(text: &str, mark: char) -> Vec<&str> {
    text.split(mark).skip(1).step_by(2).collect()
}

fn page() -> String {
    fs::read_to_string(root().join("docs/reliability.md")).expect("the page")
}

/// A row of the table of faults: the number, and the cell with the tests.
fn row(line: &str) -> Option<(usize, &str)> {
    let columns: Vec<&str> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
    let [number, _, _, tests] = columns[..] else { return None };
    Some((number.parse().ok()?, tests))
}

#[test]
fn every_test_of_the_page_exists() {
    let page = page();
    let rows: Vec<(usize, &str)> = page.lines().filter_map(row).collect();
    let numbers: Vec<usize> = rows.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=ROWS).collect::<Vec<_>>(), "the rows in their order");
    let (rust, pages) = (rust_tests(), texts("frontend", &[".spec.ts", ".test.ts", ".test.tsx"]));
    for (number, tests) in rows {
        let (named, quoted) = (between(tests, '`'), between(tests, '\''));
        assert!(named.len() + quoted.len() > 0, "row {number} has no test");
        for name in named {
            assert!(rust.contains(name), "row {number}: no Rust test is called {name}");
        }
        for title in quoted {
            let has_it =
                |text: &String| ["test", "it"].iter().any(|call| text.contains(&format!("{call}('{title}'")));
            assert!(pages.iter().any(has_it), "row {number}: no test of the pages is called {title:?}");
        }
    }
}

#[test]
fn every_planted_bug_has_its_test() {
    let (page, rust) = (page(), rust_tests());
    let list = fs::read_to_string(root().join("crates/testkit/planted/list.tsv")).expect("the list");
    let mut planted = 0;
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let [patch, package, test] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let file = root().join("crates/testkit/planted").join(patch).with_extension("patch");
        assert!(file.exists(), "{}", file.display());
        assert!(rust.contains(test), "{patch}: no test of {package} is called {test}");
        assert!(page.contains(&format!("| {patch} |")), "docs/reliability.md does not name {patch}");
        planted += 1;
    }
    assert!(planted >= 20, "{planted} planted bugs");
}
