use std::fmt::Write;

use bolts_cards::{HEIGHT, WIDTH};
use bolts_kernel::escape_html;

/// The name of the site in the tags.
const SITE: &str = "Bolts";

/// The tags in the head of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) title: String,
    pub(crate) description: String,
    /// The path under which search engines list the page. `None` for a page that they must not list.
    pub(crate) canonical: Option<String>,
    /// The path of the card.
    pub(crate) card: String,
    /// The card in words, for people who do not see it.
    pub(crate) card_text: String,
}

impl Head {
    /// The tags as HTML. Without an origin, the tags that need a complete address are left out.
    pub(crate) fn html(&self, origin: Option<&str>) -> String {
        let mut html = format!(r#"<title>{}</title>"#, escape_html(&self.title));
        tag(&mut html, "name", "description", &self.description);
        if self.canonical.is_none() {
            tag(&mut html, "name", "robots", "noindex");
        }
        tag(&mut html, "property", "og:site_name", SITE);
        tag(&mut html, "property", "og:type", "website");
        tag(&mut html, "property", "og:title", &self.title);
        tag(&mut html, "property", "og:description", &self.description);
        tag(&mut html, "name", "twitter:card", "summary_large_image");
        tag(&mut html, "name", "twitter:title", &self.title);
        tag(&mut html, "name", "twitter:description", &self.description);
        if let Some(origin) = origin {
            self.addresses(&mut html, origin);
        }
        html
    }

    fn addresses(&self, html: &mut String, origin: &str) {
        if let Some(path) = &self.canonical {
            let address = format!("{origin}{path}");
            // Writing to a string cannot fail.
            let _ = write!(html, r#"<link rel="canonical" href="{}">"#, escape_html(&address));
            tag(html, "property", "og:url", &address);
        }
        let card = format!("{origin}{}", self.card);
        tag(html, "property", "og:image", &card);
        tag(html, "property", "og:image:type", "image/png");
        tag(html, "property", "og:image:width", &WIDTH.to_string());
        tag(html, "property", "og:image:height", &HEIGHT.to_string());
        tag(html, "property", "og:image:alt", &self.card_text);
        tag(html, "name", "twitter:image", &card);
        tag(html, "name", "twitter:image:alt", &self.card_text);
    }
}

fn tag(html: &mut String, kind: &str, name: &str, content: &str) {
    // Writing to a string cannot fail.
    let _ = write!(html, r#"<meta {kind}="{name}" content="{}">"#, escape_html(content));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> Head {
        Head {
            title: "</title><script>alert('1')</script>".to_owned(),
            description: r#""quoted" & <b>"#.to_owned(),
            canonical: Some("/bet/1".to_owned()),
            card: "/og/1.png".to_owned(),
            card_text: "A card".to_owned(),
        }
    }

    #[test]
    fn markup_is_text() {
        let html = head().html(Some("https://bets.example.com"));
        assert!(!html.contains("<script") && !html.contains("<b>"), "{html}");
        assert!(html.starts_with("<title>&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)"), "{html}");
        assert!(html.contains(r#"content="&quot;quoted&quot; &amp; &lt;b&gt;""#), "{html}");
    }

    #[test]
    fn addresses_need_an_origin() {
        let html = head().html(Some("https://bets.example.com"));
        for part in [
            r#"<link rel="canonical" href="https://bets.example.com/bet/1">"#,
            r#"<meta property="og:url" content="https://bets.example.com/bet/1">"#,
            r#"<meta property="og:image" content="https://bets.example.com/og/1.png">"#,
            r#"<meta name="twitter:image" content="https://bets.example.com/og/1.png">"#,
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
        assert!(!html.contains("noindex"));
        let html = head().html(None);
        assert!(!html.contains("og:image") && !html.contains("canonical"), "{html}");
    }

    #[test]
    fn a_page_without_canonical_address_is_not_listed() {
        let html = Head { canonical: None, ..head() }.html(Some("https://bets.example.com"));
        assert!(html.contains(r#"<meta name="robots" content="noindex">"#), "{html}");
        assert!(!html.contains("og:url") && !html.contains("canonical"), "{html}");
    }
}
