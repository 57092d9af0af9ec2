// Addresses in expressions: single ones, CIDR blocks, and ranges `FIRST..LAST`.
import {
  parseIpAddress,
  parseIpRange,
  toIpRange,
  type IpAddress,
  type IpRange,
} from "../../../platform/addresses/ip-address.ts";

/** Returns undefined if the text is not one address. A zone (`%eth0`) belongs to a machine, not to an address. */
export function parseAddress(text: string): IpAddress | undefined {
  return text.includes("%") ? undefined : parseIpAddress(text);
}

/** Parses an address, a block (host bits may be set), or a range within one family whose ends are in order. */
export function parseAddressRange(text: string): IpRange | undefined {
  if (/%|\/0\d/.test(text)) return undefined;
  const [firstText = "", lastText, ...more] = text.split("..");
  if (lastText === undefined) return parseIpRange(firstText);
  const first = parseIpAddress(firstText);
  const last = parseIpAddress(lastText);
  return first && last && more.length === 0 ? toIpRange(first, last) : undefined;
}
