//! Browser and system of a client in plain words, from the header `User-Agent`. Only the words are stored.

use actix_web::HttpRequest;
use actix_web::http::header::USER_AGENT;

/// Parts of the header and the browsers that they show. The first match counts: Edge and Opera also say `Chrome`, and
/// Chrome also says `Safari`.
const BROWSERS: [(&str, &str); 9] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];

/// Parts of the header and the systems that they show. Android also says `Linux`, and an iPhone says `Mac OS X`.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// Browser and system of the client, such as `Firefox on Linux`. `None` if the header names neither.
pub(crate) fn in_words(request: &HttpRequest) -> Option<String> {
    words(request.headers().get(USER_AGENT)?.to_str().ok()?)
}

fn words(header: &str) -> Option<String> {
    let first = |known: &[(&str, &'static str)]| {
        known.iter().find(|(part, _)| header.contains(part)).map(|(_, name)| *name)
    };
    match (first(&BROWSERS), first(&SYSTEMS)) {
        (Some(browser), Some(system)) => Some(format!("{browser} on {system}")),
        (Some(one), None) | (None, Some(one)) => Some(one.to_owned()),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_browsers_are_named() {
        for (header, expected) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 \
                 Safari/537.36 Edg/126.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 Version/17.5 Safari/605.1.15",
                "Safari on macOS",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 CriOS/126.0 Mobile/15E148 Safari/604.1",
                "Chrome on iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 \
                 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            ("curl/8.5.0", "curl"),
        ] {
            assert_eq!(words(header).as_deref(), Some(expected), "{header}");
        }
    }

    #[test]
    fn nothing_of_an_unknown_header_is_shown() {
        for header in ["", "x", "<script>alert(1)</script>"] {
            assert_eq!(words(header), None, "{header}");
        }
    }
}
