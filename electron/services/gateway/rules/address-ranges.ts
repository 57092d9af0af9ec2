// IP addresses of expressions: single ones, CIDR blocks, and ranges `FIRST..LAST`. All are held as the first and last address of a range.
import ipaddr from "ipaddr.js";

/** Big-endian, 4 or 16 bytes; IPv4 where it is one mapped into IPv6. */
export type AddressBytes = readonly number[];

export interface AddressRange {
  readonly first: AddressBytes;
  readonly last: AddressBytes;
}

/** Undefined for anything but one whole address; IPv4 takes four decimal parts. */
export function parseAddress(text: string): AddressBytes | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !isIpv6(text)) return undefined;
  return ipaddr.process(text).toByteArray();
}

/** An address, a block (host bits may be set), or a range of one family whose ends are in order. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [firstText = "", lastText, ...more] = text.split("..");
  if (more.length > 0) return undefined;
  if (lastText !== undefined) return toRange(parseAddress(firstText), parseAddress(lastText));
  if (text.includes("/")) return parseBlock(text);
  const address = parseAddress(text);
  return address && { first: address, last: address };
}

export function isInRange(address: AddressBytes, { first, last }: AddressRange): boolean {
  return address.length === first.length && compare(first, address) <= 0 && compare(address, last) <= 0;
}

function toRange(first: AddressBytes | undefined, last: AddressBytes | undefined): AddressRange | undefined {
  if (first?.length !== last?.length || !first || !last) return undefined;
  return compare(first, last) <= 0 ? { first, last } : undefined;
}

const mappedPrefixBits = 96;

function parseBlock(text: string): AddressRange | undefined {
  const [addressText = "", bitsText = "", ...more] = text.split("/");
  const address = parseAddress(addressText);
  if (!address || more.length > 0 || !/^(?:0|[1-9]\d{0,2})$/.test(bitsText)) return undefined;
  // A mapped block is one of IPv4 addresses, as their addresses are.
  const isMapped = address.length === 4 && addressText.includes(":");
  const bits = Number(bitsText) - (isMapped ? mappedPrefixBits : 0);
  if (bits < 0 || bits > address.length * 8) return undefined;
  const masks = address.map((_, index) => 0xff >> Math.min(8, Math.max(0, bits - index * 8)));
  return {
    first: address.map((byte, index) => byte & ~(masks[index] ?? 0)),
    last: address.map((byte, index) => byte | (masks[index] ?? 0)),
  };
}

/** Zones (`%eth0`) belong to a machine, not to an address. */
function isIpv6(text: string): boolean {
  return text.includes(":") && !text.includes("%") && ipaddr.IPv6.isValid(text);
}

function compare(left: AddressBytes, right: AddressBytes): number {
  for (const [index, byte] of left.entries()) {
    const difference = byte - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
