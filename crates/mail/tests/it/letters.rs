//! The two forms of a mail.

use bolts_mail::{html, text};
use bolts_ports::{Letter, LetterItem};

fn letter() -> Letter {
    Letter {
        subject: "What happened <b>".to_owned(),
        paragraphs: vec!["“A & B” <script>alert(1)</script>".to_owned()],
        items: vec![LetterItem {
            title: "Bet \"Accepted\"".to_owned(),
            text: "It's live.".to_owned(),
            link: Some("https://bets.example/bet/1?a=1&b=2".to_owned()),
        }],
        button: Some(("Open the site".to_owned(), "https://bets.example/".to_owned())),
        footer: vec![
            ("Why you get this.".to_owned(), None),
            ("Stop this".to_owned(), Some("https://bets.example/unsubscribe#x".to_owned())),
        ],
    }
}

#[test]
fn a_text_has_every_part() {
    let expected = "“A & B” <script>alert(1)</script>\n\n\
                    * Bet \"Accepted\"\nIt's live.\nhttps://bets.example/bet/1?a=1&b=2\n\n\
                    Open the site:\nhttps://bets.example/\n\n--\n\n\
                    Why you get this.\n\nStop this\nhttps://bets.example/unsubscribe#x\n\n";
    assert_eq!(text(&letter()), expected);
}

/// The texts of users must not become markup.
#[test]
fn html_has_every_part_and_escapes_it() {
    let html = html(&letter());
    for part in [
        "What happened &lt;b&gt;</h1>",
        "“A &amp; B” &lt;script&gt;alert(1)&lt;/script&gt;",
        "Bet &quot;Accepted&quot;",
        "It&#39;s live.",
        r#"<a href="https://bets.example/bet/1?a=1&amp;b=2""#,
        r#"<a href="https://bets.example/unsubscribe#x""#,
    ] {
        assert!(html.contains(part), "{part} in\n{html}");
    }
    for tracker in ["<script", "<img", "src=", "url("] {
        assert!(!html.contains(tracker), "{tracker} in\n{html}");
    }
}
