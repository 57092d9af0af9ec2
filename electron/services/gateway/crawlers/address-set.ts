// The addresses of a crawler's published ranges, ready for a quick look: ranges sorted and merged, found by halving.
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

/** One address as a number, of the family that it belongs to. */
export type Address =
  { readonly family: 4; readonly value: number } | { readonly family: 6; readonly value: bigint };

/** A range from its first address to its last, both included. */
export type Range =
  | { readonly family: 4; readonly first: number; readonly last: number }
  | { readonly family: 6; readonly first: bigint; readonly last: bigint };

export interface AddressSet {
  /** Of the ranges that were given. */
  readonly size: number;
  readonly has: (address: Address) => boolean;
}

/** Shorter ones are a mistake: they would make everybody on the net the operator's. */
const shortestPrefix = { 4: 8, 6: 16 } as const;
const mappedPrefix = 96;

/** An address as a peer or a proxy writes it, IPv4 where it is one mapped into IPv6; undefined where it is none. */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return { family: 4, value: toNumber(text.split(".").map(Number)) };
  if (!ipaddr.IPv6.isValid(text)) return undefined;
  const bytes = ipaddr.process(text).toByteArray();
  return bytes.length === 4 ? { family: 4, value: toNumber(bytes) } : { family: 6, value: toBigInt(bytes) };
}

/** Of a CIDR; bits beyond the prefix are dropped. Undefined for any other text, and for a prefix that is too short. */
export function parseRange(cidr: string): Range | undefined {
  if (cidr.includes("%")) return undefined;
  if (cidr.includes(":")) return ipaddr.IPv6.isValidCIDR(cidr) ? toIpv6Range(cidr) : undefined;
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(cidr)) return undefined;
  const [address, prefix] = ipaddr.IPv4.parseCIDR(cidr);
  return toIpv4Range(toNumber(address.toByteArray()), prefix);
}

function toIpv6Range(cidr: string): Range | undefined {
  const [address, prefix] = ipaddr.IPv6.parseCIDR(cidr);
  if (address.isIPv4MappedAddress() && prefix >= mappedPrefix) {
    return toIpv4Range(toNumber(address.toIPv4Address().toByteArray()), prefix - mappedPrefix);
  }
  if (prefix < shortestPrefix[6]) return undefined;
  const rest = (1n << BigInt(128 - prefix)) - 1n;
  const first = toBigInt(address.toByteArray()) & ~rest;
  return { family: 6, first, last: first | rest };
}

function toIpv4Range(value: number, prefix: number): Range | undefined {
  if (prefix < shortestPrefix[4]) return undefined;
  const count = 2 ** (32 - prefix);
  const first = value - (value % count);
  return { family: 4, first, last: first + count - 1 };
}

export function createAddressSet(ranges: readonly Range[]): AddressSet {
  const ipv4 = merge(ranges.filter((range) => range.family === 4));
  const ipv6 = merge(ranges.filter((range) => range.family === 6));
  return {
    size: ranges.length,
    has: (address) => (address.family === 4 ? isWithin(ipv4, address.value) : isWithin(ipv6, address.value)),
  };
}

/** Firsts ascending, and the last of each: nothing overlaps. */
interface Spans<N> {
  readonly firsts: readonly N[];
  readonly lasts: readonly N[];
}

function merge<N extends number | bigint>(
  ranges: readonly { readonly first: N; readonly last: N }[],
): Spans<N> {
  const sorted = ranges.toSorted((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  const firsts: N[] = [];
  const lasts: N[] = [];
  for (const { first, last } of sorted) {
    const before = lasts.at(-1);
    if (before !== undefined && first <= before) {
      if (last > before) lasts[lasts.length - 1] = last;
      continue;
    }
    firsts.push(first);
    lasts.push(last);
  }
  return { firsts, lasts };
}

function isWithin<N extends number | bigint>({ firsts, lasts }: Spans<N>, value: N): boolean {
  let low = 0;
  let high = firsts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (firsts[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low > 0 && value <= lasts[low - 1]!;
}

function toNumber(bytes: readonly number[]): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

function toBigInt(bytes: readonly number[]): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
