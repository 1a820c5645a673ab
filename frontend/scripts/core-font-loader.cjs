// Reduces a font to the characters of English text, about half of the font, and to the weights that `?core=` names. The
// browser fetches the whole font only if a text has other characters (see the unicode-range in src/styles/fonts.css).
const subsetFont = require('subset-font');

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
const PUNCTUATION = '\u00a0\u00b7\u00d7\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u2212';

module.exports = function coreFont(font) {
  const done = this.async();
  const [min, max = min] = new URLSearchParams(this.resourceQuery).get('core').split('-').map(Number);
  const options = { targetFormat: 'woff2', variationAxes: { wght: min === max ? min : { min, max } } };
  subsetFont(font, ASCII + PUNCTUATION, options).then((subset) => done(null, subset), done);
};
module.exports.raw = true;
