// Finds the address of a request's client: the peer, or the address that a trusted proxy reports.
import { AppError } from "../../../../shared/app-error.ts";
import { createAddressSet, type AddressSet } from "../../../platform/addresses/address-set.ts";
import {
  formatIpAddress,
  parseIpAddress,
  parseIpRange,
  type IpAddress,
} from "../../../platform/addresses/ip-address.ts";

export interface Client {
  /** IPv4 or IPv6 text; IPv4 for an IPv4-mapped IPv6 address. */
  readonly address: string;
  /** `X-Forwarded-For` for the origin. A visitor cannot forge it. */
  readonly forwardedFor: string;
}

export type FindClient = (peer: string, forwardedFor: string | undefined) => Client;

/**
 * Returns true for the address of a trusted proxy. `trustedProxies` are addresses or CIDRs.
 * @throws AppError `invalid-input`
 */
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
    let client = near;
    for (const reported of forwardedFor.split(",").reverse()) {
      const address = parseAddress(reported.trim());
      // Nothing before an invalid address can be trusted.
      if (!address) break;
      client = address;
      if (!trusted.has(address)) break;
    }
    return { address: formatIpAddress(client), forwardedFor: `${forwardedFor}, ${formatIpAddress(near)}` };
  };
}

/** Returns the client for an address without proxies, or undefined if it is invalid. */
export function toClient(text: string): Client | undefined {
  const address = parseAddress(text);
  return address && toDirect(formatIpAddress(address));
}

function toDirect(peer: string): Client {
  // An IPv4 peer is already normalized.
  const known = peer.includes(":") ? parseAddress(peer) : undefined;
  const address = known ? formatIpAddress(known) : peer;
  return { address, forwardedFor: address };
}

/** Some proxies report the port too: `192.0.2.1:1234`, `[2001:db8::1]:1234`. */
const withPort = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

function parseAddress(text: string): IpAddress | undefined {
  const [, bracketed, dotted] = withPort.exec(text) ?? [];
  return parseIpAddress(bracketed ?? dotted ?? text);
}

function toSet(trustedProxies: readonly string[]): AddressSet {
  const ranges = trustedProxies.map((text) => {
    const range = parseIpRange(text);
    if (range) return range;
    throw new AppError("invalid-input", `"${text}" is neither an address nor a CIDR.`);
  });
  return createAddressSet(ranges);
}
