// Finds the zone of a host name, and the public address of its pages under that name.
import { proxyLimits } from "../gateway-limits.ts";
import type { CustomHostname, Zone } from "../zone.ts";

/** A zone under one of its names. */
export interface Site {
  readonly zone: Zone;
  /** Lower case, without a port. */
  readonly host: string;
  /** Undefined for the zone's own hosts. */
  readonly hostname: CustomHostname | undefined;
  /** `https://docs.brief.example` */
  readonly publicOrigin: string;
  /** `docs.brief.example`, with a port where the public origin has one. */
  readonly authority: string;
  readonly isTls: boolean;
}

export interface Sites {
  /** `text` is that of a Host header: case, port and a trailing dot do not matter. */
  readonly find: (text: string) => Site | undefined;
}

/** The longest DNS name (RFC 1035) with a trailing dot and a port; bounds the cache. */
const mostTextLength = 253 + 1 + 6;
/** Letters, digits, hyphens and underscores, or an IPv6 address: nothing that a URL parser reads differently. */
const hostText = /^(\[[0-9a-f:.]+\]|(?:[a-z0-9_-]+\.)*[a-z0-9_-]+)\.?(?::\d{0,5})?$/;

export function createSites(zones: readonly Zone[]): Sites {
  const exact = new Map<string, Site>();
  const wildcards: { readonly suffix: string; readonly zone: Zone; readonly hostname: CustomHostname }[] = [];
  const add = (host: string, zone: Zone, hostname?: CustomHostname): void => {
    if (!exact.has(host)) exact.set(host, toSite(host, zone, hostname));
  };
  for (const zone of zones) {
    for (const host of zone.hosts) add(host, zone);
    for (const hostname of zone.customHostnames) {
      if (!hostname.hostname.startsWith("*.")) add(hostname.hostname, zone, hostname);
      else wildcards.push({ suffix: hostname.hostname.slice(1), zone, hostname });
    }
  }
  // The longest suffix decides.
  wildcards.sort((first, second) => second.suffix.length - first.suffix.length);
  const lookUp = (text: string): Site | undefined => {
    const host = text.length > mostTextLength ? undefined : hostText.exec(text.toLowerCase())?.[1];
    if (host === undefined) return undefined;
    const known = exact.get(host);
    if (known) return known;
    const wildcard = wildcards.find(({ suffix }) => host.endsWith(suffix) && host.length > suffix.length);
    return wildcard && toSite(host, wildcard.zone, wildcard.hostname);
  };
  const cache = new Map<string, Site>();
  return {
    find(text) {
      const before = cache.get(text);
      if (before) return before;
      const site = lookUp(text);
      if (site) {
        if (cache.size >= proxyLimits.cachedHosts) cache.clear();
        cache.set(text, site);
      }
      return site;
    },
  };
}

/** A name other than the public origin's has its scheme, and the default port of that. */
function toSite(host: string, zone: Zone, hostname?: CustomHostname): Site {
  const { protocol, hostname: ownHost } = new URL(zone.publicOrigin);
  const publicOrigin = host === ownHost ? zone.publicOrigin : `${protocol}//${host}`;
  const authority = publicOrigin.slice(protocol.length + 2);
  return { zone, host, hostname, publicOrigin, authority, isTls: protocol === "https:" };
}
