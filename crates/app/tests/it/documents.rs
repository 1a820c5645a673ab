//! The documents: every link leads somewhere, and every command in them exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::binary;

fn root() -> PathBuf {
    fs::canonicalize(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).expect("the root")
}

/// All documents: those in the root, and those in `docs` with its folders.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in [root(), root().join("docs"), root().join("docs/adr")] {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        found.extend(entries.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    assert!(found.len() > 20, "{found:?}");
    found
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// A piece of a document.
enum Piece {
    /// A line outside of blocks of code.
    Text(String),
    /// A line of a block of shell commands.
    Shell(String),
}

fn pieces(text: &str) -> Vec<Piece> {
    let (mut found, mut fence) = (Vec::new(), None);
    for line in text.lines() {
        match (line.trim_start().strip_prefix("```"), fence) {
            (Some(kind), None) => fence = Some(kind == "sh"),
            (Some(_), Some(_)) => fence = None,
            (None, None) => found.push(Piece::Text(line.to_owned())),
            (None, Some(true)) => found.push(Piece::Shell(line.to_owned())),
            (None, Some(false)) => {}
        }
    }
    found
}

/// The spans of code in a text. A span may go over two lines, so the argument is the whole paragraph.
fn spans(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The text outside of blocks of code, with a space instead of each end of a line.
fn prose(text: &str) -> String {
    let lines = pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Text(line) => Some(line),
        Piece::Shell(_) => None,
    });
    lines.collect::<Vec<_>>().join(" ")
}

/// The targets of links and pictures, in Markdown and in HTML.
fn targets(text: &str) -> Vec<String> {
    let without_code: String = prose(text).split('`').step_by(2).collect();
    let between = |begin: &str, end: char| -> Vec<String> {
        let rest = without_code.split(begin).skip(1);
        rest.filter_map(|rest| rest.split(end).next()).map(str::to_owned).collect()
    };
    [between("](", ')'), between("src=\"", '"'), between("srcset=\"", '"'), between("href=\"", '"')].concat()
}

/// The anchors of the headings, by the rules of GitHub.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for piece in pieces(text) {
        let Piece::Text(line) = piece else { continue };
        let Some(heading) = line.strip_prefix('#').map(|line| line.trim_start_matches('#')) else { continue };
        let kept = heading.trim().to_lowercase();
        let kept =
            kept.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
        found.insert(kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect());
    }
    found
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let (mut broken, mut count) = (Vec::new(), 0);
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        for target in targets(&text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            count += 1;
            let (file, anchor) =
                target.split_once('#').map_or((&*target, None), |(file, anchor)| (file, Some(anchor)));
            let path = match file {
                "" => document.clone(),
                _ => document.parent().expect("a folder").join(file),
            };
            let leads = path.exists()
                && anchor.is_none_or(|anchor| {
                    anchors(&fs::read_to_string(&path).expect("a text")).contains(anchor)
                });
            if !leads {
                broken.push(format!("{}: {target}", name(&document)));
            }
        }
    }
    assert!(count > 60, "the links are found: {count}");
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

#[test]
fn every_alert_leads_to_a_section() {
    let alerts = fs::read_to_string(root().join("docs/monitoring/alerts.yml")).expect("the rules");
    let runbooks: Vec<&str> =
        alerts.lines().filter_map(|line| line.trim().strip_prefix("runbook: ")).collect();
    assert_eq!(runbooks.len(), alerts.matches("- alert: ").count());
    for runbook in runbooks {
        let (file, anchor) = runbook.split_once('#').expect("a section");
        let text = fs::read_to_string(root().join(file)).expect("a document");
        assert!(anchors(&text).contains(anchor), "{runbook}");
    }
}

/// The commands in a document: lines of shell blocks, and spans of code.
fn commands(text: &str) -> Vec<String> {
    let shell = pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Shell(line) => Some(line),
        Piece::Text(_) => None,
    });
    let prose = prose(text);
    let all = shell.chain(spans(&prose).into_iter().map(str::to_owned));
    all.flat_map(|line| line.split(" && ").map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// The words of a shell command, without its comment and without the variables before it.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in command.chars() {
        match (letter, quote) {
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, Some(open)) if letter == open => quote = None,
            ('#', None) if word.is_none() => break,
            (' ', None) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    let is_variable = |word: &String| word.starts_with("BOLTS_") && word.contains('=');
    words.into_iter().skip_while(is_variable).collect()
}

/// The arguments of `bolts` in a command, if the command runs it. A word such as `paid|refunded` stands for its first
/// part. Words in brackets and three dots stand for further words.
fn arguments_of_bolts(command: &str) -> Option<Vec<String>> {
    let words = words(command);
    let at = words.iter().position(|word| !matches!(&**word, "sudo" | "-u" | "exec"))?;
    let at = if words[at] == "bolts" && at > 0 && words[at - 1] == "-u" { at + 1 } else { at };
    let program = words.get(at)?;
    if !matches!(&**program, "bolts" | "target/release/bolts" | "target/debug/bolts" | "/usr/bin/bolts") {
        return None;
    }
    let rest = words[at + 1..].iter().take_while(|word| !matches!(&***word, "&&" | "|" | ">" | "2>" | ";"));
    let is_placeholder = |word: &&String| word.starts_with('[') || word.ends_with(']') || *word == "…";
    let rest = rest.filter(|word| !is_placeholder(word));
    Some(rest.map(|word| word.split('|').next().unwrap_or_default().to_owned()).collect())
}

/// `--help` at the end makes clap parse the words before it, and then print the help instead of running the command.
#[test]
fn every_command_of_bolts_in_the_documents_exists() {
    let (mut wrong, mut seen) = (Vec::new(), BTreeSet::new());
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        for arguments in commands(&text).iter().filter_map(|command| arguments_of_bolts(command)) {
            if !seen.insert(arguments.clone()) {
                continue;
            }
            let done = binary().args(&arguments).arg("--help").output().expect("it runs");
            if !done.status.success() {
                let said =
                    String::from_utf8_lossy(&done.stderr).lines().next().unwrap_or_default().to_owned();
                wrong.push(format!("{}: bolts {}: {said}", name(&document), arguments.join(" ")));
            }
        }
    }
    assert!(seen.len() > 25, "the commands are found: {seen:?}");
    assert!(wrong.is_empty(), "wrong commands:\n{}", wrong.join("\n"));
}

#[test]
fn every_recipe_in_the_documents_exists() {
    let justfile = fs::read_to_string(root().join("justfile")).expect("the recipes");
    let heads = justfile.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
    let recipes: BTreeSet<&str> =
        heads.filter_map(|line| line.split([' ', ':']).next()).filter(|name| *name != "set").collect();
    let (mut wrong, mut seen) = (Vec::new(), BTreeSet::new());
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        for command in commands(&text) {
            let words = words(&command);
            let named = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
                ["just", name, ..] | ["npx", "--yes", "rust-just", name, ..] => (*name).to_owned(),
                _ => continue,
            };
            if named.starts_with(|first: char| first.is_ascii_lowercase()) && !recipes.contains(&*named) {
                wrong.push(format!("{}: just {named}", name(&document)));
            }
            seen.insert(named);
        }
    }
    assert!(seen.len() > 20, "the recipes are found: {seen:?}");
    assert!(wrong.is_empty(), "missing recipes:\n{}", wrong.join("\n"));
}

/// Every flag that an operator's document names is a flag of some command.
#[test]
fn every_flag_in_the_operators_documents_exists() {
    let help = |command: &[&str]| {
        let done = binary().args(command).arg("--help").output().expect("it runs");
        String::from_utf8_lossy(&done.stdout).into_owned()
    };
    let manual = binary().arg("manual").output().expect("it runs");
    let known = String::from_utf8_lossy(&manual.stdout).replace("\\-", "-") + &help(&["serve"]);
    let (mut wrong, mut seen) = (BTreeSet::new(), BTreeSet::new());
    for document in ["README.md", "docs/operations.md", "docs/lightning.md"] {
        let text = fs::read_to_string(root().join(document)).expect("a document");
        for span in spans(&prose(&text)).into_iter().filter(|span| span.starts_with("--")) {
            let flag = span.split([' ', '=', '…']).next().unwrap_or_default();
            seen.insert(flag.to_owned());
            let begins =
                |rest: &str| !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '-');
            if !known.split(flag).skip(1).any(begins) && !span.contains('…') {
                wrong.insert(format!("{document}: {flag}"));
            }
        }
    }
    assert!(seen.len() > 25, "the flags are found: {seen:?}");
    assert!(wrong.is_empty(), "unknown flags: {wrong:#?}");
}
