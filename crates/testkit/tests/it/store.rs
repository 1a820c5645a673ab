//! Runs the contract on the memory store, and checks that the list of rules is complete.

use std::fs;
use std::path::Path;

use bolts_testkit::MemoryStore;

fn memory() -> Box<MemoryStore> {
    Box::new(MemoryStore::new())
}

bolts_testkit::contract_tests!(memory);

/// The macro `contract_tests` lists the rules by name, and their functions are in other files. This test finds
/// a function that is missing from the list.
#[test]
fn every_rule_is_on_the_list() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let list = fs::read_to_string(sources.join("contract.rs")).unwrap();
    let mut rules = 0;
    for file in fs::read_dir(sources.join("contract")).unwrap() {
        let source = fs::read_to_string(file.unwrap().path()).unwrap();
        let names = source.lines().filter_map(|line| line.strip_prefix("pub fn ")?.split_once("(store:"));
        for (name, _) in names {
            let listed = [',', ';'].iter().any(|end| list.contains(&format!(" {name}{end}")));
            assert!(listed, "{name} is not run by contract_tests!");
            rules += 1;
        }
    }
    assert!(rules > 50, "only {rules} rules were found");
}
