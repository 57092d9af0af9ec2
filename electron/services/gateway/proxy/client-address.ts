// Whose request it is: the connection's other end, or whom a trusted proxy in between says it came from.
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { AppError } from "../../../../shared/app-error.ts";

export interface Client {
  /** IPv4 or IPv6 text; IPv4 where it is one mapped into IPv6. */
  readonly address: string;
  /** What the origin is told in `X-Forwarded-For`: nothing in it is the visitor's own invention. */
  readonly forwardedFor: string;
}

export type FindClient = (peer: string, forwardedFor: string | undefined) => Client;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

type Ranges = readonly (readonly [Address, number])[];

function isWithin(ranges: Ranges, address: Address): boolean {
  return ranges.some(([range, bits]) => address.kind() === range.kind() && address.match(range, bits));
}

/** Whether an address is a trusted proxy's. `trustedProxies` are addresses or CIDRs. @throws AppError `invalid-input` */
export function createIsProxy(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = trustedProxies.map(parseRange);
  return (text) => {
    const address = trusted.length === 0 ? undefined : parseAddress(text);
    return address !== undefined && isWithin(trusted, address);
  };
}

/** `trustedProxies` are addresses or CIDRs. @throws AppError `invalid-input` */
export function createFindClient(trustedProxies: readonly string[]): FindClient {
  const trusted = trustedProxies.map(parseRange);
  const isTrusted = (address: Address): boolean => isWithin(trusted, address);
  return (peer, forwardedFor) => {
    if (forwardedFor === undefined || trusted.length === 0) return toDirect(peer);
    const near = parseAddress(peer);
    if (!near || !isTrusted(near)) return toDirect(peer);
    const said = forwardedFor.split(",");
    let client = near;
    for (let index = said.length - 1; index >= 0; index -= 1) {
      const address = parseAddress(said[index]!.trim());
      // Beyond a word that is no address nobody vouches for anything.
      if (!address) break;
      client = address;
      if (!isTrusted(address)) break;
    }
    return { address: client.toString(), forwardedFor: `${forwardedFor}, ${near.toString()}` };
  };
}

/** A visitor at an address of its own; undefined where that is none. */
export function toClient(text: string): Client | undefined {
  const address = parseAddress(text)?.toString();
  return address === undefined ? undefined : { address, forwardedFor: address };
}

function toDirect(peer: string): Client {
  // The usual case is already in its usual form.
  const address = peer.includes(":") ? (parseAddress(peer)?.toString() ?? peer) : peer;
  return { address, forwardedFor: address };
}

/** Some proxies say the port too: `192.0.2.1:1234`, `[2001:db8::1]:1234`. */
const withPort = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

function parseAddress(text: string): Address | undefined {
  const [, bracketed, dotted] = withPort.exec(text) ?? [];
  const address = bracketed ?? dotted ?? text;
  if (isIPv4(address)) return new ipaddr.IPv4(address.split(".").map(Number));
  return ipaddr.IPv6.isValid(address) ? ipaddr.process(address) : undefined;
}

function parseRange(text: string): [Address, number] {
  const [address = "", ...bits] = text.split("/");
  const start = parseAddress(address);
  if (start && bits.length === 0) return [start, start.kind() === "ipv4" ? 32 : 128];
  if (start && ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  throw new AppError("invalid-input", `"${text}" is neither an address nor a CIDR.`);
}
