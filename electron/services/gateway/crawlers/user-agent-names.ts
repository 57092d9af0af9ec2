// Finds the names of crawlers in a User-Agent. A name counts as a product, `GPTBot/1.1` or `(GPTBot; …)`: not as a
// part of another name or of an address such as `+https://operator.example/gptbot`.

/** Tokens of robots.txt for a use of the content. No visitor calls itself so, and no entry is matched by them. */
const robotsTokens: ReadonlySet<string> = new Set(["google-extended", "applebot-extended"]);

/** Product names that every browser sends; as a crawler's name, each would match everybody. */
const browserTokens: ReadonlySet<string> = new Set(
  "mozilla applewebkit khtml gecko like compatible chrome safari firefox edg edge opera opr version mobile windows linux macintosh android iphone x11".split(
    " ",
  ),
);

export function isRobotsToken(token: string): boolean {
  return robotsTokens.has(token.toLowerCase());
}

export function isBrowserToken(token: string): boolean {
  return browserTokens.has(token.toLowerCase());
}

/** Product names: letters, digits, dots, underscores and hyphens. */
export const nameText = /^[A-Za-z0-9][A-Za-z0-9._-]{1,62}[A-Za-z0-9]$/;

export interface NameFinder {
  /** Returns true if the user agent has any of the names; called for every visitor. */
  readonly isIn: (userAgent: string) => boolean;
  /** Returns each name once, in lower case, in the order of first appearance. */
  readonly find: (userAgent: string) => readonly string[];
}

const before = "(?<=^|[\\s(\\[;,\"'])";
const after = "(?=$|[\\s)\\];,\"'/:])";

/** `names` match `nameText`; case does not matter. */
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
