// Finds words, and the entries that contain them, by prefix, also with one typing error.

export interface WordIndex {
  /** Returns true if a word begins with the prefix. */
  hasPrefix(prefix: string): boolean;
  /** Calls `visit` for the entries of every word with the prefix; an entry may come more than once. */
  visitPrefix(prefix: string, visit: (entry: number) => void): void;
  /** Returns words that are, or begin with, a text one edit away from `token`: nearest first, then by best entry. */
  findSimilar(token: string, limit: number): string[];
}

/** `textsOf` returns the texts of an entry; entries are numbered from 0, best known first. */
export function createWordIndex(
  entryCount: number,
  textsOf: (entry: number) => readonly string[],
): WordIndex {
  const postings = collectPostings(entryCount, textsOf);
  const words = [...postings.newest.keys()].sort();
  const firstAtOrAfter = (prefix: string): number => {
    let low = 0;
    let high = words.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (words[middle]! < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  function* wordsFrom(prefix: string): Generator<string> {
    for (let index = firstAtOrAfter(prefix); words[index]?.startsWith(prefix) === true; index += 1) {
      yield words[index]!;
    }
  }
  return {
    hasPrefix: (prefix) => words[firstAtOrAfter(prefix)]?.startsWith(prefix) === true,
    visitPrefix(prefix, visit) {
      for (const word of wordsFrom(prefix)) postings.visit(word, visit);
    },
    findSimilar(token, limit) {
      const found: { word: string; distance: number; entry: number }[] = [];
      // People rarely mistype the first letter, except by swapping it with the second.
      for (const letter of new Set([token[0]!, token[1]!])) {
        for (const word of wordsFrom(letter)) {
          const distance = typingDistance(token, word);
          if (distance !== undefined) found.push({ word, distance, entry: postings.firstEntry(word) });
        }
      }
      return found
        .sort((a, b) => a.distance - b.distance || a.entry - b.entry)
        .slice(0, limit)
        .map(({ word }) => word);
    },
  };
}

/** Collects postings as chains in two flat arrays: an array for each word would burden the garbage collector. */
function collectPostings(entryCount: number, textsOf: (entry: number) => readonly string[]) {
  const newest = new Map<string, number>();
  const entryOf: number[] = [];
  const olderOf: number[] = [];
  const add = (word: string, entry: number): void => {
    const older = newest.get(word) ?? -1;
    if (older >= 0 && entryOf[older] === entry) return;
    newest.set(word, entryOf.length);
    entryOf.push(entry);
    olderOf.push(older);
  };
  for (let entry = 0; entry < entryCount; entry += 1) {
    for (const text of textsOf(entry)) {
      if (text.includes(" ")) for (const word of text.split(" ")) add(word, entry);
      else add(text, entry);
    }
  }
  return {
    /** The newest posting of each word. */
    newest,
    visit(word: string, visit: (entry: number) => void): void {
      for (let posting = newest.get(word) ?? -1; posting >= 0; posting = olderOf[posting]!)
        visit(entryOf[posting]!);
    },
    firstEntry(word: string): number {
      let posting = newest.get(word)!;
      while (olderOf[posting]! >= 0) posting = olderOf[posting]!;
      return entryOf[posting]!;
    },
  };
}

/**
 * Returns 1 if one edit (an extra, missing or wrong letter, or two swapped) makes `token` the word; 2 if it makes a
 * prefix of the word; undefined otherwise.
 */
export function typingDistance(token: string, word: string): 1 | 2 | undefined {
  let at = 0;
  while (at < token.length && token[at] === word[at]) at += 1;
  // Ends of the rest after an extra letter, a wrong one, a missing one, and two swapped.
  const ends = [
    endOf(token, at + 1, word, at),
    endOf(token, at + 1, word, at + 1),
    endOf(token, at, word, at + 1),
    token[at] === word[at + 1] && token[at + 1] === word[at] ? endOf(token, at + 2, word, at + 2) : -1,
  ];
  if (ends.includes(word.length)) return 1;
  return ends.some((end) => end >= 0) ? 2 : undefined;
}

/** Returns the end in `word` of the rest of `token` from `tokenAt`, matched at `wordAt`; -1 if it does not match. */
function endOf(token: string, tokenAt: number, word: string, wordAt: number): number {
  const length = Math.max(token.length - tokenAt, 0);
  if (wordAt + length > word.length) return -1;
  for (let index = 0; index < length; index += 1) {
    if (token[tokenAt + index] !== word[wordAt + index]) return -1;
  }
  return wordAt + length;
}
