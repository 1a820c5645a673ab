// Keeps of a font what English text is written with, which is half of it; what else a text needs is in the whole file,
// which the browser fetches only then (the unicode-range of src/styles/fonts.css says when).
const subsetFont = require('subset-font');

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
const PUNCTUATION = '\u00a0\u00b7\u00d7\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u2212';

module.exports = function coreFont(font) {
  const done = this.async();
  subsetFont(font, ASCII + PUNCTUATION, { targetFormat: 'woff2' }).then((subset) => done(null, subset), done);
};
module.exports.raw = true;
