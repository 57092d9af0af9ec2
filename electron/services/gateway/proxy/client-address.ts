// Whose request it is: the connection's other end, or whom a trusted proxy in between says it came from.
import { AppError } from "../../../../shared/app-error.ts";
import { createAddressSet, type AddressSet } from "../../../platform/addresses/address-set.ts";
import {
  formatIpAddress,
  parseIpAddress,
  parseIpRange,
  type IpAddress,
  type IpRange,
} from "../../../platform/addresses/ip-address.ts";

export interface Client {
  /** IPv4 or IPv6 text; IPv4 where it is one mapped into IPv6. */
  readonly address: string;
  /** What the origin is told in `X-Forwarded-For`: nothing in it is the visitor's own invention. */
  readonly forwardedFor: string;
}

export type FindClient = (peer: string, forwardedFor: string | undefined) => Client;

/** Whether an address is a trusted proxy's. `trustedProxies` are addresses or CIDRs. @throws AppError `invalid-input` */
export function createIsProxy(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = toSet(trustedProxies);
  return (text) => {
    const address = trusted.size === 0 ? undefined : parseAddress(text);
    return address !== undefined && trusted.has(address);
  };
}

/** `trustedProxies` are addresses or CIDRs. @throws AppError `invalid-input` */
export function createFindClient(trustedProxies: readonly string[]): FindClient {
  const trusted = toSet(trustedProxies);
  return (peer, forwardedFor) => {
    if (forwardedFor === undefined || trusted.size === 0) return toDirect(peer);
    const near = parseAddress(peer);
    if (!near || !trusted.has(near)) return toDirect(peer);
    const said = forwardedFor.split(",");
    let client = near;
    for (let index = said.length - 1; index >= 0; index -= 1) {
      const address = parseAddress(said[index]!.trim());
      // Beyond a word that is no address nobody vouches for anything.
      if (!address) break;
      client = address;
      if (!trusted.has(address)) break;
    }
    return { address: formatIpAddress(client), forwardedFor: `${forwardedFor}, ${formatIpAddress(near)}` };
  };
}

/** A visitor at an address of its own; undefined where that is none. */
export function toClient(text: string): Client | undefined {
  const address = parseAddress(text);
  return address && toDirect(formatIpAddress(address));
}

function toDirect(peer: string): Client {
  // The usual case is already in its usual form.
  const known = peer.includes(":") ? parseAddress(peer) : undefined;
  const address = known ? formatIpAddress(known) : peer;
  return { address, forwardedFor: address };
}

/** Some proxies say the port too: `192.0.2.1:1234`, `[2001:db8::1]:1234`. */
const withPort = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

function parseAddress(text: string): IpAddress | undefined {
  const [, bracketed, dotted] = withPort.exec(text) ?? [];
  return parseIpAddress(bracketed ?? dotted ?? text);
}

function toSet(trustedProxies: readonly string[]): AddressSet {
  return createAddressSet(trustedProxies.map(parseRange));
}

function parseRange(text: string): IpRange {
  const range = parseIpRange(text);
  if (range) return range;
  throw new AppError("invalid-input", `"${text}" is neither an address nor a CIDR.`);
}
