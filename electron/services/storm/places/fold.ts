// Folds place names and queries to one plain form: lower case, no diacritics, words separated by single spaces.

/** Apostrophes and the Hawaiian okina, in the forms of names and keyboards. */
const apostrophes = /['’‘ʻʼ`´]/g;
const marks = /\p{M}+/gu;
const initialDots = /(?<=\b\p{L})\.(?=\p{L}\b)/gu;
const separators = /[^\p{L}\p{N}]+/gu;

/** Equivalent words, short form first. */
const abbreviations = [
  ["st", "saint"],
  ["ste", "sainte"],
  ["ft", "fort"],
  ["mt", "mount"],
] as const;

/** Names that only need lower case: nearly all. */
const plain = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;
const abbreviable = /\b(?:st|saint|ste|sainte|ft|fort|mt|mount)\b/;

/** Folds a text: `"Coeur d'Alene"` becomes `"coeur d alene"`, `"Cañon City"` `"canon city"`, `"D.C."` `"dc"`. */
export function fold(text: string): string {
  return foldWith(text, " ");
}

/**
 * Returns every folded form of a name: an apostrophe as a space and removed, abbreviations short and long. The first is
 * `fold(name)`.
 */
export function foldedForms(name: string): string[] {
  const folded = fold(name);
  const joined = plain.test(name) ? folded : foldWith(name, "");
  const forms = folded === joined ? [folded] : [folded, joined];
  if (!abbreviable.test(folded)) return forms;
  const all = new Set(forms);
  for (const form of forms) {
    for (const [short, long] of abbreviations) {
      all.add(replaceWord(form, short, long));
      all.add(replaceWord(form, long, short));
    }
  }
  return [...all];
}

function foldWith(text: string, apostrophe: string): string {
  if (plain.test(text)) return text.toLowerCase();
  return text
    .normalize("NFD")
    .replaceAll(marks, "")
    .replaceAll(apostrophes, apostrophe)
    .toLowerCase()
    .replaceAll(initialDots, "")
    .replaceAll(separators, " ")
    .trim();
}

function replaceWord(form: string, word: string, by: string): string {
  return form
    .split(" ")
    .map((part) => (part === word ? by : part))
    .join(" ");
}
