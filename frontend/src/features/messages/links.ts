type Part = { text: string } | { url: string; host: string };

const LINK = /https?:\/\/[^\s<>"]+/gi;
/** Punctuation at the end of a link belongs to the sentence. */
const AFTER = /[.,;:!?)\]}'’”]+$/;

/** Splits a text into plain parts and links. A link comes with its host, so that readers see where it leads. */
export function parts(text: string): Part[] {
  const found: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(LINK)) {
    const url = match[0].replace(AFTER, '');
    const host = hostOf(url);
    if (!host) continue;
    if (match.index > end) found.push({ text: text.slice(end, match.index) });
    found.push({ url, host });
    end = match.index + url.length;
  }
  if (end < text.length) found.push({ text: text.slice(end) });
  return found;
}

/** The host that a browser would open, with other scripts in their ASCII form. Empty if the link is invalid. */
function hostOf(link: string): string {
  try {
    return new URL(link).host;
  } catch {
    return '';
  }
}
