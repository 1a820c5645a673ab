//! Random input for the running server: bodies, cursors, share tokens and settings. proptest draws the input, and shows
//! the smallest input that fails. `PROPTEST_CASES=20000` makes the tests longer (`just fuzz CASES=20000`).

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::broken_text::{calls, fields, good_body};
use crate::harness::{Answer, Client, Server, binary, id};
use crate::routes::{codes, document};

/// The settings of proptest: this number of cases, unless `PROPTEST_CASES` names another.
fn cases(short: u32) -> ProptestConfig {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    // The inputs of failures are printed and not kept in a file.
    ProptestConfig { cases: wanted.unwrap_or(short), failure_persistence: None, ..ProptestConfig::default() }
}

/// A server that may be asked for anything, with a user, an admin and a private bet of another user.
struct Site {
    server: Server,
    user: Client,
    root: Client,
    private: Value,
    document: Value,
    codes: Vec<Value>,
}

impl Site {
    fn start() -> Self {
        let server = Server::start();
        let (user, root, owner) = (server.user("user"), server.admin("root"), server.user("owner"));
        let private = owner.bet_with(json!({"isPrivate": true, "title": "A bet that is a secret"}));
        // Two bets each, so that lists have two pages.
        for user in [&owner, &root] {
            user.bet(1);
            user.bet(1);
        }
        let document = document();
        let codes = codes(&document);
        Self { server, user, root, private, document, codes }
    }

    fn fill(&self, path: &str) -> String {
        path.replace("{key}", id(&self.private)).replace("{id}", &"0".repeat(32)).replace("{token}", "x")
    }

    /// Asserts that an answer is no failure of the server, and that a refusal is a proper problem.
    fn judge(&self, what: &str, answer: &Answer) {
        assert!(answer.status < 500, "{what}: {answer:?}");
        if answer.status >= 400 {
            let problem = answer.json();
            assert!(self.codes.contains(&problem["code"]), "{what}: {problem}");
        }
    }
}

/// Texts and numbers that have broken programs before.
const NASTY: [&str; 14] = [
    "",
    " ",
    "0",
    "-1",
    "null",
    "../..",
    "' OR 1=1--",
    "<script>",
    "\u{202e}x",
    "a\u{0}b",
    "9223372036854775808",
    "1e999",
    "javascript:alert(1)",
    "0000-00-00T00:00:00Z",
];

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![select(&NASTY[..]).prop_map(str::to_owned), ".{0,40}", "\\PC{0,300}", "[A-Za-z0-9_-]{22}"]
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        select(&[0_i64, -1, 1, 99, 100, 100_000_000, 1 << 53, i64::MAX, i64::MIN][..]).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        texts().prop_map(Value::from),
        texts().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map("[a-zA-Z]{1,8}", inner, 0..4).prop_map(Value::from_iter),
        ]
    })
}

/// An operation with a body, and the change of a good body: the values of some fields, and perhaps a byte of its text.
type Change = (prop::sample::Index, Vec<(prop::sample::Index, Value)>, Option<(prop::sample::Index, u8)>);

fn changes() -> impl Strategy<Value = Change> {
    let field = (any::<prop::sample::Index>(), values());
    (
        any::<prop::sample::Index>(),
        vec(field, 0..4),
        proptest::option::weighted(0.2, any::<(prop::sample::Index, u8)>()),
    )
}

#[test]
fn any_body_gets_a_proper_answer() {
    let site = Site::start();
    let with_body: Vec<(String, String, Value)> =
        calls(&site.document).into_iter().filter(|(_, _, call)| call.get("requestBody").is_some()).collect();
    let own = site.server.user("own");
    let bet = own.bet(1);
    proptest!(cases(200), |((call, changed, broken) in changes())| {
        let (method, path, call) = call.get(&with_body);
        let names = fields(&site.document, call);
        let mut body = good_body(method, path, id(&bet));
        for (field, value) in &changed {
            if !names.is_empty() {
                body[field.get(&names)] = value.clone();
            }
        }
        let mut bytes = body.to_string().into_bytes();
        if let Some((at, byte)) = broken {
            *at.get_mut(&mut bytes) = byte;
        }
        let headers = [("Sec-Fetch-Site", "same-origin"), ("Content-Type", "application/json")];
        // A successful sign-in or password change would replace the session of the client.
        let is_account = path.starts_with("/api/auth/");
        for client in [&site.user, &site.root] {
            let sender = if is_account { &site.server.client() } else { client };
            let what = format!("{method} {path} {}", String::from_utf8_lossy(&bytes));
            let answer = sender.try_send(method, &site.fill(path), &headers, bytes.clone());
            site.judge(&what, &answer.unwrap_or_else(|| panic!("no answer to {what}")));
        }
    });
    site.server.assert_audit_clean();
}

const LISTS: [&str; 8] = [
    "/api/bets/public",
    "/api/bets/public?sort=stake_desc",
    "/api/bets/my",
    "/api/withdrawals",
    "/api/wallet/history",
    "/api/admin/bets",
    "/api/admin/actions",
    "/api/admin/withdrawals",
];

fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

/// The fingerprint of a list, from the cursor to its second page. `None` if the list has one page.
fn fingerprint(client: &Client, list: &str) -> Option<String> {
    let join = if list.contains('?') { '&' } else { '?' };
    let page = client.get(&format!("{list}{join}limit=1"));
    let link = page.headers.get("link")?.to_str().ok()?;
    let cursor = link.split("cursor=").nth(1)?.split('>').next()?;
    let bytes = URL_SAFE_NO_PAD.decode(cursor).expect("base64");
    String::from_utf8(bytes).ok()?.split('.').next().map(str::to_owned)
}

#[test]
fn any_cursor_gets_a_page_or_a_refusal() {
    let site = Site::start();
    let prints: Vec<String> = LISTS.iter().filter_map(|list| fingerprint(&site.root, list)).collect();
    assert!(prints.len() >= 4, "{prints:?}");
    let numbers = || {
        prop_oneof![
            any::<i64>().prop_map(|number| number.to_string()),
            select(&["", "-", "+1", "01", "9223372036854775808", "-9223372036854775809", "NaN", "0x1"][..])
                .prop_map(str::to_owned),
        ]
    };
    let made = (select(prints), numbers(), numbers(), prop_oneof![Just(""), Just("."), Just(".1")])
        .prop_map(|(of, key, seq, rest)| URL_SAFE_NO_PAD.encode(format!("{of}.{key}.{seq}{rest}")));
    let cursors = prop_oneof![3 => made, 1 => texts(), 1 => "[A-Za-z0-9_-]{0,60}"];
    proptest!(cases(200), |(list in select(&LISTS[..]), cursor in cursors)| {
        let join = if list.contains('?') { '&' } else { '?' };
        for client in [&site.user, &site.root] {
            let answer = client.get(&format!("{list}{join}cursor={}", escaped(&cursor)));
            site.judge(list, &answer);
            prop_assert!([200, 403, 422].contains(&answer.status), "{list} {cursor:?}: {answer:?}");
            let is_admins = list.starts_with("/api/admin/");
            prop_assert!(is_admins || !answer.text.contains("A bet that is a secret"), "{list}: {}", answer.text);
        }
    });
}

#[test]
fn no_text_but_the_share_token_opens_a_private_bet() {
    let site = Site::start();
    let token = site.private["shareToken"].as_str().expect("a token").to_owned();
    let (right, length) = (token.clone(), token.len());
    let near = (0..length, "[A-Za-z0-9_-]|%|\u{0}").prop_map(move |(at, with)| {
        let mut near = token.clone();
        near.replace_range(at..=at, &with);
        near
    });
    let cut = (0..length).prop_map({
        let right = right.clone();
        move |at| right[..at].to_owned()
    });
    let long = "[A-Za-z0-9_-]{1,3}".prop_map({
        let right = right.clone();
        move |rest| right.clone() + &rest
    });
    let case = Just(right.to_uppercase());
    let tokens = prop_oneof![near, cut, long, case, texts(), "[A-Za-z0-9_-]{22}"];
    let key = id(&site.private).to_owned();
    for path in [format!("/api/bets/{right}"), format!("/api/bets/{key}?token={right}")] {
        assert_eq!(site.user.get(&path).status, 200, "the right token opens {path}");
    }
    proptest!(cases(200), |(token in tokens.prop_filter("the right token", move |token| *token != right))| {
        let text = escaped(&token);
        for path in [
            format!("/api/bets/{text}"),
            format!("/api/bets/share/{text}"),
            format!("/api/bets/{key}?token={text}"),
            format!("/api/bets/{key}/timeline?token={text}"),
        ] {
            let answer = site.user.get(&path);
            site.judge(&path, &answer);
            prop_assert!(!answer.text.contains("A bet that is a secret"), "{path} opens it");
        }
        let body = json!({"shareToken": token, "option": "B"});
        let answer = site.user.post("/api/bets/accept", body);
        prop_assert!([404, 422].contains(&answer.status), "{token:?}: {answer:?}");
    });
    site.server.assert_audit_clean();
}

/// The variables that the help of `bolts serve` names.
static VARIABLES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let help = binary().args(["serve", "--help"]).output().expect("it runs").stdout;
    let help = String::from_utf8(help).expect("text");
    let named = help.split("[env: ").skip(1).filter_map(|rest| rest.split(['=', ']']).next());
    named.map(str::to_owned).filter(|name| name != "BOLTS_DATABASE_URL").collect()
});

#[test]
fn any_setting_starts_the_server_or_is_refused_in_words() {
    assert!(VARIABLES.len() > 20, "{:?}", *VARIABLES);
    let folder = tempfile::tempdir().expect("a folder");
    let settings = vec((select(VARIABLES.clone()), texts()), 1..4);
    proptest!(cases(40), |(settings in settings)| {
        let mut command = binary();
        // No database can be made below a file, so that no server goes on running.
        command.args(["serve", "--database-url", "sqlite:///dev/null/bolts.db"]).current_dir(folder.path());
        for (name, value) in settings.iter().filter(|(_, value)| !value.contains('\0')) {
            command.env(name, value);
        }
        let output = command.output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        prop_assert_eq!(output.status.code(), Some(2), "{:?}: {}", settings, said);
        prop_assert!(!said.trim().is_empty() && !said.contains("panicked"), "{settings:?}: {said}");
    });
}
