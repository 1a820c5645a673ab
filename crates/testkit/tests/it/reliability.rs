//! `docs/reliability.md` names a test for each fault and attack. Checks that the tests exist, and that they run on the
//! databases that the page says.

use std::collections::BTreeMap;
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

fn texts(folder: &str, endings: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    files(&root().join(folder), endings, &mut found);
    let name = |file: &Path| file.to_string_lossy().rsplit("../../").next().unwrap_or_default().to_owned();
    found.iter().map(|file| (name(file), fs::read_to_string(file).expect("text"))).collect()
}

/// The databases on which a test runs: SQLite, and PostgreSQL.
type Databases = (bool, bool);

/// The databases on which the tests of a file run. `shared` are the files of `it` that `it_pg` runs too.
fn databases(file: &str, shared: &[String]) -> Databases {
    if file.starts_with("crates/app/tests/it/") {
        return (true, shared.iter().any(|place| file.starts_with(place.as_str())));
    }
    let is_postgresql =
        ["crates/app/tests/it_pg/", "crates/store-diesel/tests/it/pg/", "crates/store-diesel/src/pg/"];
    if is_postgresql.iter().any(|place| file.starts_with(place)) {
        return (false, true);
    }
    (file.starts_with("crates/store-diesel/"), false)
}

/// The files and folders of `it` that are modules of `it_pg`.
fn shared() -> Vec<String> {
    let main =
        fs::read_to_string(root().join("crates/app/tests/it_pg/main.rs")).expect("the tests on PostgreSQL");
    let paths = main.lines().filter_map(|line| line.strip_prefix("#[path = \"../it/")?.strip_suffix("\"]"));
    paths.map(|path| format!("crates/app/tests/it/{}", path.trim_end_matches("mod.rs"))).collect()
}

/// The names of all Rust tests, with their databases: functions after `#[test]`, perhaps with other attributes and
/// comments between the two. The contract tests of a store are lines of a macro and are not included.
fn rust_tests() -> BTreeMap<String, Databases> {
    let (mut names, shared) = (BTreeMap::<String, Databases>::new(), shared());
    for (file, text) in texts("crates", &[".rs"]) {
        let runs_on = databases(&file, &shared);
        let mut is_test = false;
        for line in text.lines().map(str::trim) {
            match line.strip_prefix("fn ").and_then(|rest| rest.split('(').next()) {
                Some(name) => {
                    if is_test {
                        let known = names.entry(name.to_owned()).or_default();
                        *known = (known.0 || runs_on.0, known.1 || runs_on.1);
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

/// The names in backticks of a cell, each with the databases that its mark stands for.
fn named(cell: &str) -> Vec<(&str, Databases)> {
    let parts: Vec<&str> = cell.split('`').collect();
    let pairs = parts.chunks_exact(2).map(|pair| pair[1]).zip(parts.iter().skip(2).step_by(2));
    let databases = |after: &str| match after.chars().next() {
        Some('¹') => (true, false),
        Some('²') => (false, true),
        Some('³') => (false, false),
        Some(_) | None => (true, true),
    };
    pairs.map(|(name, after)| (name, databases(after))).collect()
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
        let (named, quoted) = (named(tests), between(tests, '\''));
        assert!(named.len() + quoted.len() > 0, "row {number} has no test");
        for (name, said) in named {
            let runs_on = rust.get(name);
            assert!(runs_on.is_some(), "row {number}: no Rust test is called {name}");
            assert_eq!(runs_on, Some(&said), "row {number}, {name}: on SQLite, on PostgreSQL");
        }
        for title in quoted {
            let has_it =
                |text: &String| ["test", "it"].iter().any(|call| text.contains(&format!("{call}('{title}'")));
            assert!(
                pages.iter().any(|(_, text)| has_it(text)),
                "row {number}: no test of the pages is called {title:?}"
            );
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
        assert!(rust.contains_key(test), "{patch}: no test of {package} is called {test}");
        assert!(page.contains(&format!("| {patch} |")), "docs/reliability.md does not name {patch}");
        planted += 1;
    }
    assert!(planted >= 20, "{planted} planted bugs");
}
