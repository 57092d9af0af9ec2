// Which headers travel on. Case, order and repetition stay as they were; what belongs to one connection stays with it
// (RFC 9110, section 7.6.1), and what the origin is told of the visitor is the gateway's own word.
import type { Client } from "./client-address.ts";
import type { Site } from "./site.ts";

/** Of one connection alone, in either direction. */
const ownOfAConnection = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "transfer-encoding",
  "upgrade",
];
const hopHeaders: ReadonlySet<string> = new Set(ownOfAConnection);

/** Also said by the gateway itself, answered by it, or not to be believed when a visitor says it. */
const notPassedOn: ReadonlySet<string> = new Set([
  ...ownOfAConnection,
  "host",
  "expect",
  "forwarded",
  "x-real-ip",
]);

export interface OriginHeaderParts {
  readonly rawHeaders: readonly string[];
  /** The visitor's `Connection`. */
  readonly connection: string | undefined;
  readonly site: Site;
  readonly client: Client;
  /** The name of this gateway, so that a request that comes round again is known. */
  readonly via: string;
  /** In the place of the visitor's `Accept-Encoding`; undefined leaves that. */
  readonly acceptEncoding: string | undefined;
}

/**
 * What the origin gets: `Host` is the public one, so that an origin of several sites knows which was asked for, and
 * `X-Forwarded-For`, `-Host` and `-Proto` say who asked for what.
 */
export function toOriginHeaders(parts: OriginHeaderParts): string[] {
  const { rawHeaders, site } = parts;
  const named = namesIn(parts.connection);
  const headers = ["Host", site.authority];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    const key = name.toLowerCase();
    if (notPassedOn.has(key) || key.startsWith("x-forwarded-") || named?.has(key)) continue;
    if (key === "accept-encoding" && parts.acceptEncoding !== undefined) continue;
    headers.push(name, rawHeaders[index + 1]!);
  }
  if (parts.acceptEncoding !== undefined) headers.push("Accept-Encoding", parts.acceptEncoding);
  headers.push("X-Forwarded-For", parts.client.forwardedFor, "X-Forwarded-Host", site.authority);
  headers.push("X-Forwarded-Proto", site.isTls ? "https" : "http", "Via", `1.1 ${parts.via}`);
  return headers;
}

/** What the visitor gets of the origin's headers, names and values in turn. Undefined where they cannot be passed on. */
export function toVisitorHeaders(rawHeaders: readonly string[]): string[] | undefined {
  let named: ReadonlySet<string> | undefined;
  const headers: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    const key = name.toLowerCase();
    if (!hopHeaders.has(key)) {
      headers.push(name, rawHeaders[index + 1]!);
      continue;
    }
    if (key === "connection") named = namesIn(rawHeaders[index + 1], named);
    // The bytes would arrive in a coding that nobody has been told of.
    if (key === "transfer-encoding" && rawHeaders[index + 1]!.toLowerCase() !== "chunked") return undefined;
  }
  return named ? without(headers, named) : headers;
}

function without(headers: readonly string[], named: ReadonlySet<string>): string[] {
  return headers.filter((_, index) => !named.has(headers[index & ~1]!.toLowerCase()));
}

/** Headers that `Connection` names beside the usual words; undefined where there are none. */
function namesIn(
  connection: string | undefined,
  before?: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  if (connection === undefined || connection === "keep-alive" || connection === "close") return before;
  const names = connection.split(",").map((name) => name.trim().toLowerCase());
  return new Set([...(before ?? []), ...names.filter((name) => !neverNamed.has(name))]);
}

/** What a body's reader depends on is not taken away on anybody's word. */
const neverNamed: ReadonlySet<string> = new Set([
  "",
  "close",
  "keep-alive",
  "host",
  "content-length",
  "content-type",
]);

/** What an `Accept-Encoding` comes to when only `decodable` ones can be looked into: those of them that it names. */
export function narrowEncodings(accepted: string, decodable: readonly string[]): string {
  const kept = accepted.split(",").filter((item) => {
    const name = item.split(";", 1)[0]!.trim().toLowerCase();
    return name === "identity" || decodable.includes(name);
  });
  return kept.length === 0 ? "identity" : kept.map((item) => item.trim()).join(", ");
}

/** The one value of a header; of several, undefined unless `join` makes one of them. */
export function valueOf(rawHeaders: readonly string[], wanted: string, join?: string): string | undefined {
  let found: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length !== wanted.length || name.toLowerCase() !== wanted) continue;
    if (found !== undefined && join === undefined) return undefined;
    found = found === undefined ? rawHeaders[index + 1]! : `${found}${join!}${rawHeaders[index + 1]!}`;
  }
  return found;
}
