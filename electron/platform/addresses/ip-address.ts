// Parses and formats IP addresses and CIDR blocks (RFC 4291, RFC 4632). An IPv4 address mapped into IPv6 counts as
// IPv4.
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

export type IpAddress =
  | { readonly family: 4; readonly value: number }
  | {
      readonly family: 6;
      readonly value: bigint;
      /** Network interface of a link-local address, such as `eth0`. Matching ignores it. */
      readonly zone: string | undefined;
    };

/** A range of addresses; both ends are included. */
export type IpRange =
  | { readonly family: 4; readonly first: number; readonly last: number }
  | { readonly family: 6; readonly first: bigint; readonly last: bigint };

/** Returns undefined if the text is not an address. IPv4 takes four decimal parts without leading zeros. */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (isIPv4(text)) return { family: 4, value: toIpv4Value(text) };
  const { parts, zoneId } = parseIpv6(text) ?? {};
  if (!parts) return undefined;
  if (isMapped(parts)) return { family: 4, value: parts[6]! * 2 ** 16 + parts[7]! };
  return { family: 6, value: parts.reduce((value, part) => (value << 16n) | BigInt(part), 0n), zone: zoneId };
}

/** Returns undefined if the text is not a CIDR block. Bits beyond the prefix may be set. */
export function parseCidr(text: string): IpRange | undefined {
  const [addressText = "", prefixText = "", ...more] = text.split("/");
  const address = parseIpAddress(addressText);
  if (!address || more.length > 0 || !/^\d{1,3}$/.test(prefixText)) return undefined;
  // The prefix of an IPv4 block that is written as IPv6 counts the 96 bits of the mapping.
  const prefix = Number(prefixText) - (address.family === 4 && addressText.includes(":") ? 96 : 0);
  if (prefix < 0 || prefix > (address.family === 4 ? 32 : 128)) return undefined;
  if (address.family === 4) {
    const count = 2 ** (32 - prefix);
    const first = address.value - (address.value % count);
    return { family: 4, first, last: first + count - 1 };
  }
  const rest = (1n << BigInt(128 - prefix)) - 1n;
  return { family: 6, first: address.value & ~rest, last: address.value | rest };
}

/** Parses a single address or a CIDR block. Returns undefined if the text is neither. */
export function parseIpRange(text: string): IpRange | undefined {
  if (text.includes("/")) return parseCidr(text);
  const address = parseIpAddress(text);
  return address && toIpRange(address, address);
}

/** Returns undefined if the addresses are of two families, or the first is above the last. */
export function toIpRange(first: IpAddress, last: IpAddress): IpRange | undefined {
  if (first.value > last.value) return undefined;
  if (first.family === 4 && last.family === 4) return { family: 4, first: first.value, last: last.value };
  if (first.family === 6 && last.family === 6) return { family: 6, first: first.value, last: last.value };
  return undefined;
}

/** Formats an address, IPv6 as in RFC 5952. */
export function formatIpAddress(address: IpAddress): string {
  if (address.family === 4) return [24, 16, 8, 0].map((shift) => (address.value >>> shift) & 0xff).join(".");
  const parts = Array.from({ length: 8 }, (_, index) =>
    Number((address.value >> BigInt(112 - 16 * index)) & 0xffffn),
  );
  const text = new ipaddr.IPv6(parts).toString();
  return address.zone === undefined ? text : `${text}%${address.zone}`;
}

/** 2000::/3, from which IANA allocates addresses of the public internet (RFC 4291, 2.4). */
const globalIpv6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Returns true if the address belongs to the public internet and to no special-purpose block. */
export function isPublicAddress(address: IpAddress): boolean {
  const known = ipaddr.parse(formatIpAddress(address));
  return known.range() === "unicast" && (known instanceof ipaddr.IPv4 || known.match(globalIpv6));
}

function toIpv4Value(text: string): number {
  return text.split(".").reduce((value, part) => value * 256 + Number(part), 0);
}

function parseIpv6(text: string): ipaddr.IPv6 | undefined {
  // Exceptions are slow, and most texts that are not an address have no colon.
  if (!text.includes(":")) return undefined;
  try {
    return ipaddr.IPv6.parse(text);
  } catch {
    return undefined;
  }
}

/** ::ffff:0:0/96 */
function isMapped(parts: readonly number[]): boolean {
  return parts[5] === 0xffff && parts.slice(0, 5).every((part) => part === 0);
}
