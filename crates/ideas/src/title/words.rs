//! The words of a title, in a form that can be compared, each with its position in the title.

/// A word of a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// The word in lower case and without the punctuation around it: `friday` for `Friday,` and `$100k` for
    /// `($100k)`.
    pub(crate) text: String,
    /// The byte position in the title at which the word begins.
    pub(crate) start: usize,
    /// The byte position in the title at which the word ends, without the punctuation after it.
    pub(crate) end: usize,
    /// Whether all letters of the word are capitals. True for 'UTC', false for 'Utc' and '9'.
    pub(crate) is_capitals: bool,
    /// Whether a phrase ends with this word: punctuation follows, or the next word begins with a bracket or a
    /// quotation mark.
    pub(crate) ends_phrase: bool,
}

/// The words of a title, in order. A part without letters and digits, such as a dash, is not a word, but the
/// phrase of the previous word ends there.
pub(crate) fn words(title: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut offset = 0;
    for part in title.split(char::is_whitespace) {
        let start = offset;
        offset += part.len() + title[start + part.len()..].chars().next().map_or(0, char::len_utf8);
        let keeps_front = |c: char| c.is_alphanumeric() || matches!(c, '$' | '€' | '£' | '+' | '-');
        let keeps_back = |c: char| c.is_alphanumeric() || matches!(c, '%' | '+' | '°' | '$');
        let front = part.find(keeps_front).unwrap_or(part.len());
        let core = part[front..].trim_end_matches(|c| !keeps_back(c));
        if !core.chars().any(char::is_alphanumeric) {
            if let Some(last) = words.last_mut() {
                last.ends_phrase |= !part.is_empty();
            }
            continue;
        }
        if part.starts_with(['(', '[', '"', '“'])
            && let Some(last) = words.last_mut()
        {
            last.ends_phrase = true;
        }
        let end = start + front + core.len();
        let text = core.to_lowercase().replace('’', "'");
        let is_capitals = core.chars().any(char::is_uppercase) && !core.chars().any(char::is_lowercase);
        let ends_phrase = end < start + part.len();
        words.push(Word { text, start: start + front, end, is_capitals, ends_phrase });
    }
    words
}

/// The number of words in `phrase` if `words` begins with `phrase`, otherwise `None`.
pub(crate) fn starts_with(words: &[Word], phrase: &str) -> Option<usize> {
    let wanted: Vec<&str> = phrase.split(' ').collect();
    let fits =
        words.len() >= wanted.len() && words.iter().zip(&wanted).all(|(word, want)| word.text == *want);
    fits.then_some(wanted.len())
}

/// The total number of words in those phrases that occur in `words`. Each phrase counts once.
pub(crate) fn weight<'a>(words: &[Word], phrases: impl IntoIterator<Item = &'a str>) -> usize {
    let once = |phrase| (0..words.len()).find_map(|start| starts_with(&words[start..], phrase)).unwrap_or(0);
    phrases.into_iter().map(once).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_position_and_the_end_of_their_phrase() {
        let title = "Chiefs vs. Eagles (Super Bowl): who wins – ever?";
        let found = words(title);
        let texts: Vec<&str> = found.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["chiefs", "vs", "eagles", "super", "bowl", "who", "wins", "ever"]);
        assert!(found.iter().all(|word| title[word.start..word.end].to_lowercase() == word.text));
        let ends: Vec<bool> = found.iter().map(|word| word.ends_phrase).collect();
        assert_eq!(ends, [false, true, true, false, true, false, true, true]);
    }

    #[test]
    fn unusual_texts_are_split_without_a_panic() {
        for title in
            ["", "   ", "???", "é ü\u{a0}x", "\u{1F600} \u{1F600}", "a\n\tb", "(((", "$", "İstanbul’s"]
        {
            assert!(words(title).iter().all(|word| title.get(word.start..word.end).is_some()), "{title:?}");
        }
    }
}
