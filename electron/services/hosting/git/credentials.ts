// The secret in an `Authorization` header. Only the part of a token before `?` counts. The rest tells people when it
// expires, and may be missing or percent-encoded.

/** Much longer than any valid header. */
const maxHeaderLength = 4096;

/** Returns undefined if there is no secret in a known scheme. Ignores the user name of Basic. */
export function parseCredentials(header: string | undefined): string | undefined {
  if (header === undefined || header.length > maxHeaderLength) return undefined;
  const match = /^(bearer|basic) +(\S+) *$/i.exec(header);
  if (match === null) return undefined;
  const [, scheme, value] = match;
  const secret = scheme!.toLowerCase() === "bearer" ? value! : parsePassword(value!);
  const bare = secret?.split(/\?|%3f/i, 1)[0];
  return bare === undefined || !/^[\x21-\x7e]+$/.test(bare) ? undefined : bare;
}

function parsePassword(base64: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64)) return undefined;
  const pair = Buffer.from(base64, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon === -1 ? undefined : pair.slice(colon + 1);
}
