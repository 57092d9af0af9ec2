// The secret of an `Authorization` header. Of a repository token the part before `?` decides; what stands behind it tells
// people when it expires, and is there, missing or percent-encoded as the way of the token through addresses had it.

/** Far more than any token; a header of this length is somebody's mistake or attack. */
const maxHeaderLength = 4096;

/** Undefined when there is no secret of a known scheme. The user name of Basic is ignored. */
export function parseCredentials(header: string | undefined): string | undefined {
  if (header === undefined || header.length > maxHeaderLength) return undefined;
  const match = /^(bearer|basic) +(\S+) *$/i.exec(header);
  if (match === null) return undefined;
  const [, scheme, value] = match;
  const secret = scheme!.toLowerCase() === "bearer" ? value! : passwordOf(value!);
  const bare = secret?.split(/\?|%3f/i, 1)[0];
  return bare === undefined || !/^[\x21-\x7e]+$/.test(bare) ? undefined : bare;
}

function passwordOf(base64: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64)) return undefined;
  const pair = Buffer.from(base64, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon === -1 ? undefined : pair.slice(colon + 1);
}
