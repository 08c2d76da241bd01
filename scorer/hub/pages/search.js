// Finds what is typed: each word of it begins a word of the text, accents and capitals apart. If that
// finds nothing, one letter of a word may be wrong. scorer/tournament/names.py compares names alike.

const MARKS = /[\u0300-\u036f]/g;
const BETWEEN = /[\s!-/:-@[-`{-\u00bf\u2000-\u206f]+/;
const APOSTROPHE = /(\S)['`\u00b4\u02bc\u2018\u2019](?=\S)/g;
const LEAST_ALIKE = 5; // letters of a word in which any may be wrong
const SAME_SOUND = new Set("bv ck cs cz gj iy sz".split(" "));

// The words of a text that is looked for.
export const wordsOf = (text) => text.toLowerCase().normalize("NFKD").replace(MARKS, "").split(BETWEEN).filter(Boolean);

// The words by which a text is found: "D'Artagnan" as one word and as two.
export const wordsFound = (text) => [...new Set([...wordsOf(text.replace(APOSTROPHE, "$1")), ...wordsOf(text)])];

// Whether two words differ by one wrong letter.
function isWordAlike(one, other) {
  if (one.length > other.length) return isWordAlike(other, one);
  if (one === other || other.length - one.length > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const isLong = one.length >= LEAST_ALIKE;
  if (one.length < other.length) return one.slice(at) === other.slice(at + 1) && (isLong || other[at] === other[at - 1]);
  if (one.slice(at + 1) === other.slice(at + 1)) return isLong || SAME_SOUND.has([one[at], other[at]].sort().join(""));
  return one.slice(0, at) + one.slice(at + 1, at + 2) + one[at] + one.slice(at + 2) === other;
}

const begins = (wanted, words, isLike) =>
  wanted.every((each) => words.some((word) => word.startsWith(each) || isLike(each, word)));

// Those of the `texts`, each with its `words` and the `number` of its team, that are looked for.
export function findAll(wanted, texts) {
  const isNumber = ({ number }) => wanted.length === 1 && wanted[0] === String(number);
  const found = texts.filter((text) => isNumber(text) || begins(wanted, text.words, () => false));
  return found.length ? found : texts.filter(({ words }) => begins(wanted, words, isWordAlike));
}
