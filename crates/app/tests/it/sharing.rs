//! What programs read from the pages without running their script: tags, cards, and the files for search engines.

use std::collections::BTreeMap;
use std::io::Read;

use html5gum::{Token, Tokenizer};
use serde_json::{Value, json};

use crate::harness::{Client, Server, id};

/// The tags of a page: the title, each `meta` by its name or property, and each `link` by its `rel`.
#[derive(Debug, PartialEq)]
struct Tags {
    named: BTreeMap<String, String>,
    /// The names of all elements in the page, in order.
    elements: Vec<String>,
}

impl Tags {
    fn of(html: &str) -> Self {
        let mut tags = Self { named: BTreeMap::new(), elements: Vec::new() };
        let mut title = None;
        for token in Tokenizer::new(html) {
            match token.expect("a text cannot fail") {
                Token::StartTag(tag) => {
                    let name = String::from_utf8_lossy(&tag.name).into_owned();
                    let attribute = |wanted: &str| {
                        let found = tag.attributes.iter().find(|(name, _)| ***name == *wanted.as_bytes());
                        found.map(|(_, value)| String::from_utf8_lossy(value).into_owned())
                    };
                    if name == "title" {
                        title = Some(String::new());
                    }
                    let key = match name.as_str() {
                        "meta" => attribute("name").or_else(|| attribute("property")),
                        "link" => attribute("rel"),
                        _ => None,
                    };
                    let value = attribute("content").or_else(|| attribute("href")).unwrap_or_default();
                    // The colour of the browser's frame has one tag for each scheme.
                    let key = key.map(|key| match attribute("media") {
                        Some(media) => format!("{key} {media}"),
                        None => key,
                    });
                    if let Some(key) = key {
                        let is_one = ["canonical", "title"].contains(&key.as_str()) || name == "meta";
                        let before = tags.named.insert(key.clone(), value);
                        assert!(!is_one || before.is_none(), "two tags {key}");
                    }
                    tags.elements.push(name);
                }
                Token::String(text) => {
                    if let Some(title) = &mut title {
                        title.push_str(&String::from_utf8_lossy(&text));
                    }
                }
                Token::EndTag(tag) if **tag.name == *b"title" => {
                    let before = tags.named.insert("title".to_owned(), title.take().unwrap_or_default());
                    assert_eq!(before, None, "two titles");
                }
                Token::EndTag(_) | Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
            }
        }
        tags
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.named.get(name).map(String::as_str)
    }
}

fn tags(client: &Client, path: &str) -> Tags {
    let page = client.get(path);
    assert_eq!(page.status, 200, "{path}");
    assert_eq!(page.headers["cache-control"], "no-store", "{path}");
    Tags::of(&page.text)
}

/// The path of the page's card.
fn card_of(server: &Server, tags: &Tags) -> String {
    let address = tags.get("og:image").expect("a card");
    assert_eq!(tags.get("twitter:image"), Some(address));
    address.strip_prefix(&server.base).expect("an address of this site").to_owned()
}

/// A picture as a client without cookies gets it.
struct Picture {
    status: u16,
    headers: ureq::http::HeaderMap,
    bytes: Vec<u8>,
}

fn picture(server: &Server, path: &str, known: Option<&str>) -> Picture {
    let agent: ureq::Agent =
        ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build().into();
    let mut request = agent.get(format!("{}{path}", server.base));
    if let Some(known) = known {
        request = request.header("If-None-Match", known);
    }
    let mut response = request.call().expect("an answer");
    let mut bytes = Vec::new();
    response.body_mut().as_reader().read_to_end(&mut bytes).expect("a body");
    Picture { status: response.status().as_u16(), headers: response.headers().clone(), bytes }
}

/// The width and the height in the head of a PNG.
fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

#[test]
fn a_public_bet_is_described_in_every_status() {
    let server = Server::start();
    let (ann, bob, visitor) = (server.user("ann"), server.user("bob"), server.client());
    ann.page("PATCH", "/api/auth/profile", Some(&json!({"username": "ann"}))).ok(200);
    let bet =
        ann.bet_with(json!({"stakeAmount": 100, "title": "Snow on Friday", "optionA": "It snows", "optionB": "It stays dry"}));
    let path = format!("/bet/{}", id(&bet));
    let address = format!("{}{path}", server.base);
    let mut cards = Vec::new();
    let mut expect = |description: &str| {
        let tags = tags(&visitor, &path);
        let told = tags.get("description").expect("a description").to_owned();
        assert!(told.contains(description), "{told}");
        for (name, value) in [
            ("title", "Snow on Friday · Bolts"),
            ("og:title", "Snow on Friday · Bolts"),
            ("twitter:title", "Snow on Friday · Bolts"),
            ("og:description", &told),
            ("twitter:description", &told),
            ("canonical", &address),
            ("og:url", &address),
            ("og:site_name", "Bolts"),
            ("twitter:card", "summary_large_image"),
            ("og:image:width", "1200"),
            ("og:image:height", "630"),
        ] {
            assert_eq!(tags.get(name), Some(value), "{name}");
        }
        assert_eq!(tags.get("robots"), None);
        assert!(!told.contains('@'), "{told}");
        assert_eq!(tags, self::tags(&bob, &path).with_elements_of(&tags), "members read the same tags");
        cards.push(card_of(&server, &tags));
    };
    let stake = "100 Bolts";
    expect(&format!(
        "ann stakes {stake} on “It snows”. Stake {stake} on “It stays dry”, and the winner gets 200 Bolts."
    ));
    bob.accept(&bet).ok(200);
    expect("ann staked 100 Bolts on “It snows”, the taker staked 100 Bolts on “It stays dry”.");
    ann.act(&bet, "early-resolution", json!({})).ok(200);
    expect("The outcome is being decided.");
    ann.act(&bet, "propose-resolution", json!({"winningOption": "B"})).ok(200);
    bob.act(&bet, "respond-resolution", json!({"accept": true})).ok(200);
    expect("“It stays dry” won, and 200 Bolts went to the taker.");
    let different: std::collections::BTreeSet<_> = cards.iter().collect();
    assert_eq!(different.len(), cards.len(), "each status has its card: {cards:?}");
    for old in &cards[..3] {
        let moved = picture(&server, old, None);
        assert_eq!((moved.status, moved.headers["location"].to_str().ok()), (302, Some(cards[3].as_str())));
    }
}

impl Tags {
    fn with_elements_of(mut self, other: &Self) -> Self {
        self.elements.clone_from(&other.elements);
        // Pages of members preload other files.
        for name in ["preload", "stylesheet"] {
            match other.named.get(name) {
                Some(value) => drop(self.named.insert(name.to_owned(), value.clone())),
                None => drop(self.named.remove(name)),
            }
        }
        self
    }
}

#[test]
fn markup_in_a_title_stays_text() {
    let server = Server::start();
    let (ann, visitor) = (server.user("ann"), server.client());
    let plain = ann.bet_with(json!({"title": "A plain title"}));
    let plain = tags(&visitor, &format!("/bet/{}", id(&plain)));
    for title in [
        "</title><script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "' onload='alert(1) &amp; &lt;b&gt;",
        "<!-- <base href=//evil.example>",
        "{{7*7}} ${7*7} <title>",
        "שלום <b>עולם</b>",
    ] {
        let bet = ann.bet_with(json!({"stakeAmount": 1, "title": title, "optionA": title, "optionB": "no"}));
        let found = tags(&visitor, &format!("/bet/{}", id(&bet)));
        assert_eq!(found.get("title"), Some(format!("{title} · Bolts").as_str()));
        assert!(found.get("og:description").is_some_and(|text| text.contains(title)), "{found:?}");
        assert_eq!(found.elements, plain.elements, "{title} adds no element");
        let card = picture(&server, &card_of(&server, &found), None);
        assert_eq!((card.status, size(&card.bytes)), (200, (1200, 630)), "{title}");
    }
}

#[test]
fn a_card_is_cached_by_its_content() {
    let server = Server::start();
    let (ann, visitor) = (server.user("ann"), server.client());
    let bet = ann.bet_with(json!({"title": "W".repeat(200)}));
    let path = card_of(&server, &tags(&visitor, &format!("/bet/{}", id(&bet))));
    let card = picture(&server, &path, None);
    assert_eq!((card.status, size(&card.bytes)), (200, (1200, 630)));
    let header = |card: &Picture, name: &str| card.headers[name].to_str().expect("text").to_owned();
    assert_eq!(header(&card, "content-type"), "image/png");
    assert_eq!(header(&card, "cache-control"), "public, max-age=86400");
    assert_eq!(header(&card, "cross-origin-resource-policy"), "cross-origin");
    assert_eq!(header(&card, "x-content-type-options"), "nosniff");
    let tag = header(&card, "etag");
    let again = picture(&server, &path, Some(&tag));
    assert_eq!((again.status, again.bytes.len(), header(&again, "etag")), (304, 0, tag));
    assert_eq!(picture(&server, &path, Some("\"other\"")).bytes, card.bytes);
    // Bets with the same content have different cards, because a card belongs to one bet.
    let twin = ann.bet_with(json!({"title": "W".repeat(200)}));
    assert_ne!(card_of(&server, &tags(&visitor, &format!("/bet/{}", id(&twin)))), path);
}

#[test]
fn unknown_cards_are_not_drawn() {
    let server = Server::start();
    let ann = server.user("ann");
    let (open, deleted) = (ann.bet(100), ann.bet(100));
    let old = card_of(&server, &tags(&ann, &format!("/bet/{}", id(&deleted))));
    ann.delete(&format!("/api/bets/{}", id(&deleted))).ok(200);
    let unknown = "0".repeat(32);
    for path in [
        old,
        format!("/og/{unknown}-0123456789abcdef.png"),
        format!("/og/{}.png", id(&open)),
        "/og/bolts.png".to_owned(),
        "/og/nothing-1.png".to_owned(),
    ] {
        ann.get(&path).problem(404, "not_found");
    }
    // Any other digest leads to the card, so a link in an old message still works.
    let moved = picture(&server, &format!("/og/{}-00.png", id(&open)), None);
    assert_eq!((moved.status, moved.headers["cache-control"].to_str().ok()), (302, Some("no-cache")));
}

#[test]
fn a_private_bet_gives_nothing_away() {
    let server = Server::start();
    let (ann, bob, root) = (server.user("ann"), server.user("bob"), server.admin("root"));
    let secret = json!({"isPrivate": true, "title": "Ann marries Bob", "optionA": "in May", "optionB": "in June",
        "description": "At the town hall."});
    let bet = ann.bet_with(secret);
    bob.accept(&bet).ok(200);
    let (token, visitor) = (bet["shareToken"].as_str().expect("a token"), server.client());
    let unknown = tags(&visitor, &format!("/bet/{}", "0".repeat(32)));
    assert_eq!(unknown.get("title"), Some("A bet on Bolts"));
    assert_eq!(unknown.get("robots"), Some("noindex"));
    assert_eq!((unknown.get("canonical"), unknown.get("og:url")), (None, None));
    let site = card_of(&server, &unknown);
    assert_eq!(site, card_of(&server, &tags(&visitor, "/")));
    assert_eq!(size(&picture(&server, &site, None).bytes), (1200, 630));
    let other = token.replace(|letter: char| letter.is_ascii_lowercase(), "x");
    let paths = [
        format!("/bet/{}", id(&bet)),
        format!("/bet/{token}"),
        format!("/bet/{}?token={token}", id(&bet)),
        format!("/share/{token}"),
        format!("/share/{other}"),
        format!("/bet/{other}"),
        "/bet/not%20a%20token".to_owned(),
    ];
    for (path, client) in
        paths.iter().flat_map(|path| [&visitor, &ann, &bob, &root].map(|client| (path, client)))
    {
        let page = client.get(path);
        for word in ["marries", "in May", "in June", "town hall", "ann@", token, id(&bet)] {
            assert!(!page.text.contains(word), "{path} has {word}");
        }
        assert_eq!(Tags::of(&page.text).with_elements_of(&unknown), unknown, "{path}");
    }
    // Nobody gets a card, not even with the right digest.
    for digest in ["0", "0123456789abcdef"] {
        for client in [&visitor, &ann, &root] {
            client.get(&format!("/og/{}-{digest}.png", id(&bet))).problem(404, "not_found");
            client.get(&format!("/og/{token}-{digest}.png")).problem(404, "not_found");
        }
    }
    for path in ["/sitemap.xml", "/sitemap/0.xml", "/robots.txt"] {
        let text = visitor.get(path).text;
        assert!(!text.contains(id(&bet)) && !text.contains(token), "{path}: {text}");
    }
}

#[test]
fn search_engines_find_public_bets_and_pages_for_all() {
    let server = Server::start();
    let (ann, visitor) = (server.user("ann"), server.client());
    let empty = visitor.get("/sitemap.xml").text;
    assert!(empty.contains("<sitemapindex") && !empty.contains("<loc>"), "{empty}");
    let bets: Vec<Value> = (0..3).map(|_| ann.bet(1)).collect();
    ann.delete(&format!("/api/bets/{}", id(&bets[1]))).ok(200);
    let index = visitor.get("/sitemap.xml");
    assert_eq!(index.headers["content-type"], "application/xml; charset=utf-8");
    assert!(index.text.contains(&format!("<loc>{}/sitemap/0.xml</loc>", server.base)), "{}", index.text);
    let part = visitor.get("/sitemap/0.xml").text;
    for (bet, is_listed) in bets.iter().zip([true, false, true]) {
        assert_eq!(
            part.contains(&format!("<loc>{}/bet/{}</loc>", server.base, id(bet))),
            is_listed,
            "{part}"
        );
    }
    visitor.get("/sitemap/x.xml").problem(404, "not_found");
    let robots = visitor.get("/robots.txt");
    assert!(robots.headers["content-type"].to_str().is_ok_and(|kind| kind.starts_with("text/plain")));
    assert!(robots.text.contains(&format!("Sitemap: {}/sitemap.xml", server.base)), "{}", robots.text);
    assert!(
        !robots.text.contains("Disallow: /"),
        "pages that are not listed have to be read: {}",
        robots.text
    );
    for (path, canonical) in [
        ("/", Some("/")),
        ("/landing", Some("/")),
        ("/auth", Some("/auth")),
        ("/auth/?new", Some("/auth")),
        ("/marketplace", Some("/marketplace")),
        ("/portfolio", None),
        ("/account", None),
        ("/admin", None),
        ("/no/such/page", None),
    ] {
        let tags = tags(&visitor, path);
        let expected = canonical.map(|path| format!("{}{path}", server.base));
        assert_eq!(tags.get("canonical"), expected.as_deref(), "{path}");
        assert_eq!(tags.get("robots"), canonical.is_none().then_some("noindex"), "{path}");
        assert!(tags.get("description").is_some_and(|text| !text.is_empty()), "{path}");
    }
}

#[test]
fn addresses_are_those_of_the_public_url() {
    let server = Server::start_with(&["--public-url", "https://bets.example.com"]);
    let tags = tags(&server.client(), "/auth");
    assert_eq!(tags.get("canonical"), Some("https://bets.example.com/auth"));
    assert!(tags.get("og:image").is_some_and(|card| card.starts_with("https://bets.example.com/og/bolts-")));
    let robots = server.client().get("/robots.txt").text;
    assert!(robots.contains("https://bets.example.com/sitemap.xml"), "{robots}");
}

#[test]
fn a_host_that_is_no_host_names_no_address() {
    let server = Server::start();
    let client = server.client();
    let page = client.send("GET", "/auth", &[("Host", "evil\"><script>")], "");
    assert!(!page.text.contains("evil"), "{}", page.text);
    if page.status == 200 {
        let tags = Tags::of(&page.text);
        assert_eq!((tags.get("canonical"), tags.get("og:image")), (None, None));
    }
}
