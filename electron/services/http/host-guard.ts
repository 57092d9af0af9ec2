// Decides which requests a listener on this machine may answer. The threats, and what meets each:
//
// - A page of another site, in a browser that reaches the listener, reads it or opens a socket to it: `Origin` must
// be ours if present, `Sec-Fetch-Site` must be same-origin or none, and no CORS header is sent. A public service has
// nothing to protect from pages: they may all read it.
// - The same page after its own name was made to resolve to our address (DNS rebinding). To the browser that is the
// same origin, and the only header that betrays it is `Host`: it must be exactly one of ours.
//
// A program without a browser's headers (curl, a script's WebSocket) passes: it could forge any of them.
import type { IncomingMessage } from "node:http";

/** The part of a request that the guard reads. Duplicated headers arrive joined with commas, so they match nothing. */
export type GuardedRequest = Pick<IncomingMessage, "headers"> & {
  readonly method?: string | undefined;
  /** The request target in origin form, query included. */
  readonly url?: string | undefined;
};

export type Scheme = "http" | "https";

export interface Refusal {
  readonly status: 403 | 421;
  readonly message: string;
}

const hostRefused: Refusal = { status: 421, message: "This service does not answer to that host name." };
const originRefused: Refusal = { status: 403, message: "Pages of other origins may not use this service." };

export interface Guard {
  /** Returns the reason to refuse a request, or undefined if it may pass. */
  readonly judge: (request: GuardedRequest) => Refusal | undefined;
  /** Returns the path and query of a request target; undefined if it has neither (`*`, another host's URL). */
  readonly toOriginForm: (target: string) => string | undefined;
}

export interface GuardOptions {
  /** `Host` header values, with the port unless it is the scheme's default. */
  readonly hosts: readonly string[];
  readonly scheme: Scheme;
  /** `https://HOST`, an address of ours behind a proxy that ends TLS. */
  readonly publicOrigin?: string | undefined;
  /** True if the pages of every site may read: everything here is public, and nothing acts. */
  readonly isOpen?: boolean;
  /** Returns true if another site's page may make this request; by default none may. */
  readonly mayCross?: (request: GuardedRequest) => boolean;
}

export function createHostGuard(options: GuardOptions): Guard {
  const { hosts, scheme, publicOrigin, isOpen = false, mayCross = () => false } = options;
  const ours = new Set(hosts);
  const origins = new Set(hosts.map((host) => `${scheme}://${host}`));
  const publicHost = publicOrigin && new URL(publicOrigin).host;
  const judgeNames = ({ host, origin }: GuardedRequest["headers"]): Refusal | undefined => {
    if (host === undefined || !(host === publicHost || ours.has(host))) return hostRefused;
    if (origin === undefined || isOpen) return undefined;
    // A page of loopback is not ours on a visitor's computer, and the public page has no business with loopback.
    const isOwn = host === publicHost ? origin === publicOrigin : origins.has(origin);
    return isOwn ? undefined : originRefused;
  };
  return {
    judge(request) {
      const { headers } = request;
      const refusal = judgeNames(headers);
      if (refusal) return refusal;
      const site = headers["sec-fetch-site"];
      if (isOpen || site === undefined || site === "same-origin" || site === "none") return undefined;
      return mayCross(request) ? undefined : originRefused;
    },
    toOriginForm(target) {
      if (target.startsWith("/")) return target;
      const [, targetScheme, host, path = "/"] = /^(https?):\/\/([^/?#]+)(\/.*)?$/i.exec(target) ?? [];
      return targetScheme?.toLowerCase() === scheme && ours.has(host!) ? path : undefined;
    },
  };
}

/**
 * Returns the `Host` values of a bound address. `names` are host names, each with a port if that differs. Beyond
 * loopback, only `names` are answered; a wildcard address also answers to the loopback's own names.
 */
export function toHosts(bound: { address: string; port: number }, names: readonly string[]): string[] {
  const all = [...loopbackNames(bound.address), ...names].map((name) => toHost(name, bound.port, "http"));
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

/** Returns the `Host` value of a name; an IPv6 address is in brackets. */
export function toHost(name: string, port: number, scheme: Scheme): string {
  const host = name.toLowerCase();
  if (/:\d+$/.test(host) && !host.endsWith("]")) return host;
  // A browser leaves the default port out of Host and Origin.
  return port === defaultPorts[scheme] ? host : `${host}:${port}`;
}

const defaultPorts: Readonly<Record<Scheme, number>> = { http: 80, https: 443 };
