use super::support::TestStore;

bolts_testkit::contract_tests!(TestStore::new);
