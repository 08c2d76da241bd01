// Finds what is typed: each word of it begins a word of the text, accents and capitals apart.

const MARKS = /[\u0300-\u036f]/g;
const BETWEEN = /[\s!-/:-@[-`{-\u00bf\u2000-\u206f]+/;

// The words of a text, as scorer/hub/team_search.py parts them.
export const wordsOf = (text) => text.toLowerCase().normalize("NFKD").replace(MARKS, "").split(BETWEEN).filter(Boolean);

// Whether a text with these words, or the number of a team, is what is looked for.
export function isFound(wanted, words, number = "") {
  if (number && wanted.length === 1 && wanted[0] === String(number)) return true;
  return wanted.every((each) => words.some((word) => word.startsWith(each)));
}
