//! Contract of the search in the marketplace.

use std::ops::Range;

use bolts_bets::Terms;
use bolts_kernel::{BetId, UserId};
use bolts_ports::ListFilter;

use super::{Subject, walk};
use crate::Scene;
use crate::fixtures::{bolts, private, terms, text};

/// The bets that contain all these words. The words must be in lower case and consist of letters and digits. The
/// use case also passes words in this form to the store.
fn search(store: &dyn Subject, words: &str) -> Vec<BetId> {
    let words = words.split_whitespace().map(str::to_owned).collect();
    let filter = ListFilter { words, ..ListFilter::default() };
    walk(100, |page| store.public_bets(&filter, page))
}

fn titled(scene: &Scene<'_>, creator: UserId, title: &str, description: &str) -> BetId {
    let (title, description) = (text(title), text(description));
    scene.create(creator, Terms { title, description, stake: bolts(1), ..terms() }).id
}

/// Asserts for each search text whether it finds the bet.
fn assert_found(store: &dyn Subject, bet: BetId, cases: &[(&str, bool)]) {
    for (words, expected) in cases {
        let found = search(store, words);
        assert_eq!(found, if *expected { vec![bet] } else { vec![] }, "{words}");
    }
}

/// Each search word must occur in the title or in the description. The order and the repetition of search words
/// do not matter.
pub fn all_words_have_to_be_there(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let rain = titled(&scene, ann, "Rain in Paris tomorrow", "Measured at the airport of Orly");
    let snow = titled(&scene, ann, "Snow in Paris tomorrow", "");
    let cases = [
        ("rain", true),
        ("orly paris", true),
        ("airport rain in", true),
        ("rain rain", true),
        ("hail", false),
    ];
    assert_found(store, rain, &cases);
    assert_found(store, rain, &[("snow orly", false), ("rain snow", false)]);
    assert_eq!(search(store, "tomorrow paris"), [snow, rain]);
    assert_eq!(search(store, ""), [snow, rain]);
    // The search does not cover the names of the options.
    assert_eq!(search(store, "yes"), []);
}

/// The last word may be the beginning of a word, because the user may still be typing it. The other words
/// must be whole words. No search matches the middle of a word.
pub fn only_the_last_word_may_be_a_beginning(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let bet = titled(&scene, ann, "Bitcoin above 100000 dollars", "");
    let found = ["b", "bit", "bitcoin", "above bitc", "dollars 1000", "bitcoin b"];
    assert_found(store, bet, &found.map(|words| (words, true)));
    let not_found = ["coin", "bit above", "bitcoins", "ollars", "0000", "bitcoin abo dollars"];
    assert_found(store, bet, &not_found.map(|words| (words, false)));
}

/// A search for the beginning of a word finds all bets with such a word, in the order of the list. The number of such words
/// does not matter.
pub fn a_beginning_of_many_words_finds_them_all(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let words: Vec<_> = (0..80).map(|number| format!("match{number:02}")).collect();
    let bets: Vec<_> = words.iter().map(|word| titled(&scene, ann, &format!("Is it {word}?"), "")).collect();
    let newest_first = |range: Range<usize>| bets[range].iter().rev().copied().collect::<Vec<_>>();
    assert_eq!(search(store, "match"), newest_first(0..80));
    assert_eq!(search(store, "is match"), newest_first(0..80));
    assert_eq!(search(store, "match2"), newest_first(20..30));
    assert_eq!(search(store, "match27"), newest_first(27..28));
    let whole = titled(&scene, ann, "Match", "Matches, matching and a rematch");
    assert_eq!(search(store, "match"), [vec![whole], newest_first(0..80)].concat());
    assert_eq!(search(store, "matche"), [whole]);
    assert_eq!(search(store, "matchi"), [whole]);
}

/// Upper and lower case match each other, in any script that has both. The marks of Latin letters make no difference. Letters of
/// other scripts keep their marks.
pub fn case_makes_no_difference(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let bet = titled(&scene, ann, "BITCOIN über Zürich", "ÉTÉ в Москва, Нью-Йорк; 東京タワー");
    let found = ["bitcoin", "über", "zürich bit", "été", "москва", "нью йорк", "東京タワー", "東京"];
    assert_found(store, bet, &found.map(|words| (words, true)));
    assert_found(store, bet, &[("zurich", true), ("uber zur", true), ("ete", true), ("иорк", false)]);
    let plain = titled(&scene, ann, "Geneve", "");
    assert_found(store, plain, &[("genève", true), ("genè", true)]);
}

/// A word may be as long as a description. Its beginning finds it.
pub fn a_word_of_any_length_is_found(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let bet = titled(&scene, ann, &"ü".repeat(200), &"é".repeat(5_000));
    assert_found(store, bet, &[("üüü", true), ("ééé", true), ("eee", true), ("eeei", false)]);
}

/// In titles and descriptions, all characters other than letters and digits only separate words.
pub fn nothing_in_a_text_is_syntax(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let title = "\"Rain*\" (or ^snow:) 50% off_peak' OR 1=1; DROP TABLE bets;-- {x} [y] \\n";
    let bet =
        titled(&scene, ann, title, "e-mail me@host.example/path?q=1.75 don't -not +plus ~tilde <b>bold</b>");
    let words = [
        "rain",
        "snow",
        "50",
        "off peak",
        "or 1",
        "drop table bets",
        "x y n",
        "e mail",
        "mail",
        "me host",
        "example path",
        "path",
        "q",
        "75",
        "1 75",
        "don t",
        "not plus tilde",
        "bold",
    ];
    assert_found(store, bet, &words.map(|words| (words, true)));
    assert_found(store, bet, &[("5 0", false), ("offpeak", false), ("dont", false), ("email", false)]);
}

/// The search treats operators of query languages (such as `and`) and very common words as ordinary words.
pub fn words_of_the_search_language_are_words(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let other = titled(&scene, ann, "Something of that kind", "");
    let bet = titled(&scene, ann, "To be or not to be, and near the end", "");
    let words = ["and", "or", "not", "near", "be and end", "to be or not to be", "the", "near the end"];
    assert_found(store, bet, &words.map(|words| (words, true)));
    assert_found(store, bet, &[("rain or end", false), ("and kind", false)]);
    assert_found(store, other, &[("someth", true), ("not of", false)]);
}

/// A search finds neither private nor deleted bets.
pub fn private_bets_are_not_found(store: &dyn Subject) {
    let scene = Scene::new(store);
    let ann = scene.user("ann");
    let hidden = Terms { title: text("Secret rain"), visibility: private("secret"), ..terms() };
    scene.create(ann, hidden);
    let bet = scene.create(ann, Terms { title: text("Deleted rain"), ..terms() });
    let stays = titled(&scene, ann, "Public rain", "");
    assert_eq!(search(store, "rain"), [stays, bet.id]);
    scene.record(bet.delete(ann, scene.now()).expect("may be deleted"));
    assert_found(store, stays, &[("rain", true), ("secret", false), ("deleted", false)]);
}
