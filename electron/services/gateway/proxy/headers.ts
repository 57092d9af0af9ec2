// Chooses the headers that travel on. Case, order and repetition stay as sent; headers of one connection stay behind
// (RFC 9110, section 7.6.1), and the gateway itself tells the origin about the visitor.
import type { Client } from "./client-address.ts";
import type { Site } from "./site.ts";

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Headers of one connection, in either direction. */
const hopHeaders = setOf(
  "connection keep-alive proxy-connection proxy-authenticate proxy-authorization te transfer-encoding upgrade",
);
/**
 * Headers that the gateway sets or answers itself, or that a visitor could forge. CGI programs take `Proxy` for the
 * setting of their own proxy.
 */
const notPassedOn = new Set([...hopHeaders, "host", "expect", "forwarded", "x-real-ip", "proxy"]);
/** Names that `Connection` cannot remove: its usual options, and headers that readers of the body depend on. */
const neverNamed = setOf(" close keep-alive host content-length content-type");

export interface OriginHeaderParts {
  readonly rawHeaders: readonly string[];
  /** `Connection` of the visitor. */
  readonly connection: string | undefined;
  readonly site: Site;
  readonly client: Client;
  /** Name of this gateway in `Via`, which reveals loops. */
  readonly via: string;
  /** Replaces the visitor's `Accept-Encoding`; undefined leaves it. */
  readonly acceptEncoding: string | undefined;
}

/**
 * Returns the headers for the origin. `Host` is the public one, for an origin of several sites; `X-Forwarded-For`,
 * `-Host` and `-Proto` describe the visitor and what was asked for.
 */
export function toOriginHeaders(parts: OriginHeaderParts): string[] {
  const { rawHeaders, site } = parts;
  const named = namesIn(parts.connection);
  const headers = ["Host", site.authority];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    const key = name.toLowerCase();
    // CGI-like origins read underscores and hyphens alike.
    const read = key.replaceAll("_", "-");
    if (notPassedOn.has(read) || read.startsWith("x-forwarded-") || named?.has(key)) continue;
    if (read === "accept-encoding" && parts.acceptEncoding !== undefined) continue;
    headers.push(name, rawHeaders[index + 1]!);
  }
  if (parts.acceptEncoding !== undefined) headers.push("Accept-Encoding", parts.acceptEncoding);
  headers.push("X-Forwarded-For", parts.client.forwardedFor, "X-Forwarded-Host", site.authority);
  headers.push("X-Forwarded-Proto", site.isTls ? "https" : "http", "Via", `1.1 ${parts.via}`);
  return headers;
}

/**
 * Returns the origin's headers for the visitor, names and values alternating; undefined if they cannot be passed on.
 */
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
    // The visitor would get bytes in a coding that is not announced.
    if (key === "transfer-encoding" && rawHeaders[index + 1]!.toLowerCase() !== "chunked") return undefined;
  }
  return named ? without(headers, named) : headers;
}

function without(headers: readonly string[], named: ReadonlySet<string>): string[] {
  return headers.filter((_, index) => !named.has(headers[index & ~1]!.toLowerCase()));
}

/** Returns the headers that `Connection` names, without the usual options; undefined without any. */
function namesIn(
  connection: string | undefined,
  before?: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  if (connection === undefined || connection === "keep-alive" || connection === "close") return before;
  const names = connection.split(",").map((name) => name.trim().toLowerCase());
  return new Set([...(before ?? []), ...names.filter((name) => !neverNamed.has(name))]);
}

/** Keeps the encodings of an `Accept-Encoding` that are `decodable`. */
export function narrowEncodings(accepted: string, decodable: readonly string[]): string {
  const kept = accepted.split(",").filter((item) => {
    const name = item.split(";", 1)[0]!.trim().toLowerCase();
    return name === "identity" || decodable.includes(name);
  });
  return kept.length === 0 ? "identity" : kept.map((item) => item.trim()).join(", ");
}

/** Returns the value of a header; for several values, undefined unless `join` connects them. */
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
