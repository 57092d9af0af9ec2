// The address under which a crawler says that its keys are found: the `Signature-Agent` header of Web Bot Auth
// (draft-meunier-http-message-signatures-directory). We fetch nothing from there; it only names whose pinned keys to take.

const longestUrl = 512;

/** The URL in its usual form; undefined for anything but an https URL without a user, a query or a fragment. */
export function parseAgentUrl(text: string): string | undefined {
  if (text.length > longestUrl) return undefined;
  const url = URL.parse(text);
  if (url?.protocol !== "https:") return undefined;
  return url.username === "" && url.password === "" && url.search === "" && url.hash === ""
    ? url.href
    : undefined;
}

/** The URL that a header says, which must be a quoted string of RFC 9651 and nothing else. */
export function parseSignatureAgent(header: string): string | undefined {
  const [, text] = /^"([\x21\x23-\x5b\x5d-\x7e]+)"$/.exec(header) ?? [];
  return text === undefined ? undefined : parseAgentUrl(text);
}
