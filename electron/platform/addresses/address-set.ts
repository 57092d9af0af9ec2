// A set of IP ranges for fast lookup: sorted, merged, and searched by bisection.
import type { IpAddress, IpRange } from "./ip-address.ts";

export interface AddressSet {
  /** Number of ranges the set was made from. */
  readonly size: number;
  readonly has: (address: IpAddress) => boolean;
}

export function createAddressSet(ranges: readonly IpRange[]): AddressSet {
  const ipv4 = merge(ranges.filter((range) => range.family === 4));
  const ipv6 = merge(ranges.filter((range) => range.family === 6));
  return {
    size: ranges.length,
    has: (address) => (address.family === 4 ? isWithin(ipv4, address.value) : isWithin(ipv6, address.value)),
  };
}

/** First addresses, ascending, and the last address of each; nothing overlaps. */
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
