// Ranges of addresses that an operator publishes for its crawler.
import { parseCidr, type IpRange } from "../../../platform/addresses/ip-address.ts";

/** Larger blocks than a /8 of IPv4 or a /16 of IPv6 are a mistake: they would admit everybody. */
function isTooLarge(range: IpRange): boolean {
  return range.family === 4
    ? range.last - range.first >= 2 ** 24
    : range.last - range.first >= 2n ** BigInt(128 - 16);
}

/** Returns undefined if the text is not a CIDR block, or is one that is too large. */
export function parsePublishedRange(cidr: string): IpRange | undefined {
  const range = cidr.includes("%") ? undefined : parseCidr(cidr);
  return range && !isTooLarge(range) ? range : undefined;
}
