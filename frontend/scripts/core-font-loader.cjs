// Keeps of a font what English text is written with, which is half of it, in the weights that `?core=` names; what else a
// text needs is in the whole file, which the browser fetches only then (the unicode-range of src/styles/fonts.css says when).
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
