// Removes from a text for strangers everything that may name a person, a machine, a file or an address, and everything
// that may be a secret. It rather removes too much: a path may contain blanks, so that it ends with its line.

export const removed = "[removed]";

/** Words of this machine that are removed wherever they stand: names of its user, its host and its folders. */
export type OwnWords = readonly string[];

const patterns: readonly RegExp[] = [
  // Longer than any word of a message: the patterns below take the cube of a word's length.
  /\S{80}.*/g,
  // The host that a resolver did not find, which may be one word.
  /(?<=\b(?:ENOTFOUND|EAI_AGAIN)\s+)\S+/g,
  // Addresses and paths: from the first slash or backslash, with the word before it, to the end of the line.
  /[^\s"'=([{]*[/\\].*/g,
  // Addresses of mail, and accounts on hosts.
  /\S+@\S+/g,
  // IPv6, with two colons in a row or at least three single ones.
  /[0-9a-f:.%]*(?:::|(?:[0-9a-f]*:){3})[0-9a-z:.%]*/gi,
  // Names of hosts and files with a dot; a version has only numbers.
  /[\p{L}\p{N}_-]*\p{L}[\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)+|[\p{N}]+(?:\.[\p{L}\p{N}_-]*\p{L}[\p{L}\p{N}_-]*)+(?:\.[\p{L}\p{N}_-]+)*/gu,
  // IPv4.
  /\b\d+\.\d+\.\d+\.\d+\b/g,
  // Hosts with a port.
  /[\p{L}_][\p{L}\p{N}_-]*:\d+/gu,
  // Tokens, keys and hashes: long runs, and shorter ones that mix letters and digits.
  /[A-Za-z0-9_+=~-]{20,}/g,
  /(?=[A-Za-z0-9_+=~-]*\d)(?=[A-Za-z0-9_+=~-]*[A-Za-z])[A-Za-z0-9_+=~-]{8,}/g,
];

/** Longest line that is read; a longer one is removed as a whole. */
const longestLine = 4_000;

export function redact(text: string, ownWords: OwnWords): string {
  const words = ownWords
    .filter((word) => word.length >= 2)
    .toSorted((one, other) => other.length - one.length);
  return text
    .split(/[\p{Cc}\p{Zl}\p{Zp}]+/u)
    .map((line) => {
      if (line.length > longestLine) return removed;
      const withoutOwn = words.reduce((shown, word) => replaceWord(shown, word), line);
      return patterns.reduce((shown, pattern) => shown.replaceAll(pattern, removed), withoutOwn);
    })
    .join(" ")
    .trim();
}

/** Without regard to case, and also inside longer words. */
function replaceWord(text: string, word: string): string {
  return text.replaceAll(new RegExp(word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu"), removed);
}
