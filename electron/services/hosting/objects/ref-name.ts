// Which texts can name a ref, and which refs of a repository a short name may stand for. Whatever is none of them never reaches Git.

/** A file's name has 255 bytes at most, and Git's lock file adds five to it. */
const maxPartBytes = 250;
const maxNameBytes = 1024;
/** git-check-ref-format(1), rules 4, 5 and 10: controls, blank, and the characters of Git's own syntax. */
const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]/;

/** The rules of git-check-ref-format(1) with `--allow-onelevel`. A leading hyphen is a ref's right; it never stands as an option. */
export function isRefName(name: string): boolean {
  if (name === "@" || !name.isWellFormed() || Buffer.byteLength(name) > maxNameBytes) return false;
  if (forbidden.test(name) || name.includes("..") || name.includes("@{") || name.endsWith(".")) return false;
  return name
    .split("/")
    .every(
      (part) =>
        part.length > 0 &&
        !part.startsWith(".") &&
        !part.endsWith(".lock") &&
        Buffer.byteLength(part) <= maxPartBytes,
    );
}

/** The whole refs that a name may stand for, best first: itself where it is whole, then a branch, then a tag. */
export function toWholeRefs(name: string): readonly string[] {
  if (!isRefName(name)) return [];
  const short = [`refs/heads/${name}`, `refs/tags/${name}`];
  return name.startsWith("refs/") ? [name, ...short] : short;
}
