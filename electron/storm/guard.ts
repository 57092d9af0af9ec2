// Who may be answered at all. The threats, and what meets each:
//
// - A web page of another site that runs in the same browser as the viewer and reads, or opens a socket to, this
//   loopback port: `Origin` must be ours where there is one, `Sec-Fetch-Site` must be same-origin or none, no CORS
//   header is ever sent, and every answer carries `Cross-Origin-Resource-Policy: same-origin`.
// - The same page after its own name was made to resolve to 127.0.0.1 (DNS rebinding). To the browser that is the same
//   origin, and the only header that betrays it is `Host`: it must be exactly one of ours.
// - Another page that frames the viewer: the policy of its answers forbids it.
// - Other machines: the service binds 127.0.0.1 unless it is told otherwise, and then needs the names it goes by.
// - Any of them, or a stranger's program on this machine, that would do more than read: an action is a POST with the run's
//   token, which only the address that was opened carries; a cookie, which a browser sends by itself, would not do.
//
// A program without a browser's headers (curl, a script's WebSocket) is served: it could forge any of them. Following
// a link to the viewer from another site is a user's own doing and is allowed, for the page itself and nothing else.
import type { IncomingHttpHeaders } from "node:http";

/** The part of a request that the guard looks at. Duplicated headers arrive joined with commas, so they match nothing. */
export interface GuardedRequest {
  readonly method?: string | undefined;
  /** The request target in origin form, query included. */
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

export interface Refusal {
  readonly status: 403 | 421;
  readonly message: string;
}

const hostRefused: Refusal = { status: 421, message: "This service does not answer to that host name." };
const originRefused: Refusal = { status: 403, message: "Pages of other origins may not use this service." };

export interface Guard {
  /** What the request is refused with, or undefined when it may pass. */
  judge(request: GuardedRequest): Refusal | undefined;
  /** Whether `http://HOST` of an absolute request target names this service. */
  answersTo(host: string): boolean;
}

/** `hosts` are `Host` header values, port included where it is not 80. */
export function createGuard(hosts: readonly string[]): Guard {
  const ours = new Set(hosts);
  const origins = new Set(hosts.map((host) => `http://${host}`));
  return {
    judge({ method, url, headers }) {
      if (headers.host === undefined || !ours.has(headers.host)) return hostRefused;
      if (headers.origin !== undefined && !origins.has(headers.origin)) return originRefused;
      const site = headers["sec-fetch-site"];
      if (site === undefined || site === "same-origin" || site === "none") return undefined;
      return isLinkToViewer(method, url, headers) ? undefined : originRefused;
    },
    answersTo: (host) => ours.has(host),
  };
}

function isLinkToViewer(
  method: string | undefined,
  url: string | undefined,
  headers: IncomingHttpHeaders,
): boolean {
  return (
    (method === "GET" || method === "HEAD") &&
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document" &&
    (url === "/" || url?.startsWith("/?") === true)
  );
}

/**
 * The `Host` values of a bound address. `names` are host names, with a port where they are reached through another one.
 * Beyond loopback nothing but `names` is answered; a wildcard address also answers to the loopback's own names.
 */
export function toHosts(bound: { address: string; port: number }, names: readonly string[]): string[] {
  const all = [...loopbackNames(bound.address), ...names].map((name) =>
    withPort(name.toLowerCase(), bound.port),
  );
  return [...new Set(all)];
}

function loopbackNames(address: string): readonly string[] {
  switch (address) {
    case "127.0.0.1":
    case "0.0.0.0":
      return ["127.0.0.1", "localhost"];
    case "::1":
      return ["[::1]", "localhost"];
    case "::":
      return ["127.0.0.1", "localhost", "[::1]"];
    default:
      return address.startsWith("127.") ? [address] : [];
  }
}

function withPort(name: string, port: number): string {
  if (/:\d+$/.test(name) && !name.endsWith("]")) return name;
  // A browser leaves the default port out of Host and Origin.
  return port === 80 ? name : `${name}:${port}`;
}
