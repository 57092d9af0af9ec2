// How much of the gateway one address may hold at once, so that nobody takes all of it from the others.
import { parseIpAddress } from "../../../platform/addresses/ip-address.ts";

/** Connections, and requests under way: half of the connections to an origin. Whatever one address does, others are served. */
export const mostAtOnce = 256;

export interface FairShareOptions {
  readonly most: number;
  /** For whom there is no bound: proxies, which ask for many. */
  readonly isExempt: (address: string) => boolean;
}

export class FairShare {
  readonly #most: number;
  readonly #isExempt: (address: string) => boolean;
  readonly #held = new Map<string, number>();

  constructor({ most, isExempt }: FairShareOptions) {
    this.#most = most;
    this.#isExempt = isExempt;
  }

  /** False where the address holds as much as it may: then it has nothing to release. */
  take(address: string): boolean {
    const holder = toHolder(address);
    const held = this.#held.get(holder) ?? 0;
    if (held >= this.#most && !this.#isExempt(address)) return false;
    this.#held.set(holder, held + 1);
    return true;
  }

  /** Once for each that was taken. */
  release(address: string): void {
    const holder = toHolder(address);
    const held = this.#held.get(holder)!;
    if (held > 1) this.#held.set(holder, held - 1);
    else this.#held.delete(holder);
  }
}

/** Of IPv6 the network, its first 64 bits: whoever has one address of it has them all. */
function toHolder(address: string): string {
  const known = address.includes(":") ? parseIpAddress(address) : undefined;
  return known?.family === 6 ? `${known.value >> 64n}` : address;
}
