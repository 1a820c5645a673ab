//! Tests of source links and share tokens: valid and invalid texts, and debug output.

use bolts_bets::{ShareToken, Visibility};

use crate::support::{changed, draft, parse, refused};

const INVALID: &str = "Source URL must be a valid http or https URL";

#[test]
fn a_token_is_letters_of_base64url() {
    for token in ["c29tZWJvZHkgZ3Vlc3Nlcw", "a-b_C9", "x"] {
        assert_eq!(ShareToken::parse(token).expect(token).as_str(), token);
    }
    for wrong in ["", "a\0b", "\0", "a b", "a/b", "a=", "é", "\u{fffd}", &"x".repeat(101)] {
        assert_eq!(ShareToken::parse(wrong), None, "{wrong:?}");
    }
}

#[test]
fn http_and_https_links_are_kept_as_typed() {
    let links = [
        "http://example.com",
        "https://example.com/a?b=c#d",
        "HTTPS://EXAMPLE.com/x",
        "https://bücher.example/ü",
        "https://[::1]:8080/",
        "http://10.0.0.1/score",
    ];
    for link in links {
        let terms = changed(|draft| draft.source_url = link.to_owned()).unwrap();
        assert_eq!(terms.source_url.as_deref(), Some(link));
    }
    assert_eq!(parse(&draft()).unwrap().source_url, None);
    assert_eq!(changed(|draft| draft.source_url = "  ".to_owned()).unwrap().source_url, None);
}

#[test]
fn other_texts_are_refused_as_links() {
    let links = [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "ftp://example.com/scores",
        "file:///etc/passwd",
        "mailto:a@example.com",
        "blob:https://example.com/1",
        "//example.com/x",
        "/scores",
        "example.com",
        "https://",
        "https:/example.com/x",
        "https:example.com",
        "HTTPS:example.com",
        "https:\\\\example.com",
        "https:// example.com",
        "https://exa\tmple.com",
        "https://example.com/a b",
        "https://example.com/\u{0}",
        "https://example.com:99999/",
    ];
    for link in links {
        refused(changed(|draft| draft.source_url = link.to_owned()), "sourceUrl", INVALID);
    }
}

#[test]
fn a_link_has_at_most_2048_characters() {
    let link = |length: usize| {
        let start = "https://example.com/";
        format!("{start}{}", "é".repeat(length - start.len()))
    };
    let stored = changed(|draft| draft.source_url = format!(" {} ", link(2_048))).unwrap().source_url;
    assert_eq!(stored.map(|url| url.chars().count()), Some(2_048));
    let too_long = "Source URL must be at most 2048 characters";
    refused(changed(|draft| draft.source_url = link(2_049)), "sourceUrl", too_long);
}

#[test]
fn a_share_token_is_in_no_debug_output() {
    let secret = "kJ3vT0pZ9xQ2";
    let token = ShareToken::new(secret.to_owned());
    assert_eq!(token.as_str(), secret);
    let terms =
        bolts_bets::Terms { visibility: Visibility::Private(token.clone()), ..parse(&draft()).unwrap() };
    for shown in [format!("{token:?}"), format!("{token:#?}"), format!("{terms:?}"), format!("{terms:#?}")] {
        assert!(shown.contains("ShareToken"), "{shown}");
        assert!(!shown.contains(secret), "{shown}");
    }
}
