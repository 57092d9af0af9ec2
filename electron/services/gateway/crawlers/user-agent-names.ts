// Which names of crawlers a User-Agent says. A name counts as a product of its own, `GPTBot/1.1` or `(GPTBot; …)`: not as a
// part of another name, nor within an address such as `+https://operator.example/gptbot`.

/** What robots.txt calls a use of the content, and no visitor calls itself: entries that mention one are not matched by it. */
const robotsTokens: ReadonlySet<string> = new Set(["google-extended", "applebot-extended"]);

/** What every browser says of itself; as a crawler's name it would fit everybody. */
const browserTokens: ReadonlySet<string> = new Set(
  [
    "mozilla",
    "applewebkit",
    "khtml",
    "gecko",
    "like",
    "compatible",
    "chrome",
    "safari",
    "firefox",
    "edg",
  ].concat([
    "edge",
    "opera",
    "opr",
    "version",
    "mobile",
    "windows",
    "linux",
    "macintosh",
    "android",
    "iphone",
    "x11",
  ]),
);

export function isRobotsToken(token: string): boolean {
  return robotsTokens.has(token.toLowerCase());
}

export function isBrowserToken(token: string): boolean {
  return browserTokens.has(token.toLowerCase());
}

/** Letters, digits, dots, underscores and hyphens, as in product names. */
export const nameText = /^[A-Za-z0-9][A-Za-z0-9._-]{1,62}[A-Za-z0-9]$/;

export interface NameFinder {
  /** Whether any name is said at all; this is asked for every visitor. */
  readonly isIn: (userAgent: string) => boolean;
  /** Each name that is said, once, in lower case, in the order of their first appearance. */
  readonly find: (userAgent: string) => readonly string[];
}

const before = "(?<=^|[\\s(\\[;,\"'])";
const after = "(?=$|[\\s)\\];,\"'/:])";

/** Names are of `nameText`; case does not matter. */
export function createNameFinder(names: Iterable<string>): NameFinder {
  const known = new Set([...names].map((name) => name.toLowerCase()));
  if (known.size === 0) return { isIn: () => false, find: () => [] };
  const choice = [...known].map((name) => name.replaceAll(".", "\\.")).join("|");
  const one = new RegExp(`${before}(?:${choice})${after}`, "i");
  const each = new RegExp(one.source, "gi");
  return {
    isIn: (userAgent) => one.test(userAgent),
    find: (userAgent) => [...new Set(userAgent.match(each)?.map((said) => said.toLowerCase()))],
  };
}
