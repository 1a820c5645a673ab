//! The two forms of a mail: plain text and HTML. Both come from one [`Letter`]. The HTML loads nothing from the site, so
//! nobody learns whether a mail was read.

use std::fmt::Write;

use bolts_kernel::escape_html;
use bolts_ports::Letter;

/// The letter as plain text.
pub fn text(letter: &Letter) -> String {
    let mut text = String::new();
    for paragraph in &letter.paragraphs {
        push(&mut text, &[paragraph]);
    }
    for item in &letter.items {
        let link = item.link.as_deref().unwrap_or_default();
        push(&mut text, &[&format!("* {}", item.title), &item.text, link]);
    }
    if let Some((label, link)) = &letter.button {
        push(&mut text, &[&format!("{label}:"), link]);
    }
    push(&mut text, &["--"]);
    for (line, link) in &letter.footer {
        push(&mut text, &[line, link.as_deref().unwrap_or_default()]);
    }
    text
}

/// Adds the lines that are not empty, and an empty line.
fn push(text: &mut String, lines: &[&str]) {
    for line in lines.iter().filter(|line| !line.is_empty()) {
        text.push_str(line);
        text.push('\n');
    }
    text.push('\n');
}

const HEAD: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
</head>
<body style="margin:0;padding:24px;font-family:sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:560px;margin:0 auto">
"#;

const BUTTON: &str = "display:inline-block;padding:12px 20px;border-radius:6px;background:#8a5a00;color:#ffffff;\
                      text-decoration:none;font-weight:bold";

/// The letter as HTML.
pub fn html(letter: &Letter) -> String {
    let mut html = HEAD.to_owned();
    tag(&mut html, r#"h1 style="font-size:22px;line-height:1.3""#, &escape_html(&letter.subject));
    for paragraph in &letter.paragraphs {
        tag(&mut html, "p", &escape_html(paragraph));
    }
    for item in &letter.items {
        let title = escape_html(&item.title);
        let title = item.link.as_deref().map_or(title.clone(), |link| anchor(link, "", &title));
        tag(&mut html, "p", &format!("<strong>{title}</strong><br>{}", escape_html(&item.text)));
    }
    if let Some((label, link)) = &letter.button {
        tag(&mut html, "p", &anchor(link, BUTTON, &escape_html(label)));
        let plain = format!("{}<br>{}", escape_html("Or open this address:"), escape_html(link));
        tag(&mut html, r#"p style="font-size:13px;word-break:break-all""#, &plain);
    }
    html.push_str("<hr style=\"border:0;border-top:1px solid #dddddd\">\n");
    for (line, link) in &letter.footer {
        let line = escape_html(line);
        let line = link.as_deref().map_or(line.clone(), |link| anchor(link, "", &line));
        tag(&mut html, r#"p style="font-size:13px""#, &line);
    }
    html.push_str("</div>\n</body>\n</html>\n");
    html
}

/// Adds an element. `opening` is its name and its attributes. The content must be escaped.
fn tag(html: &mut String, opening: &str, content: &str) {
    let name = opening.split(' ').next().unwrap_or(opening);
    // Writing to a string cannot fail.
    let _ = writeln!(html, "<{opening}>{content}</{name}>");
}

/// The HTML of a link with this content, which must be escaped.
fn anchor(link: &str, style: &str, content: &str) -> String {
    format!(r#"<a href="{}" style="{style}">{content}</a>"#, escape_html(link))
}
