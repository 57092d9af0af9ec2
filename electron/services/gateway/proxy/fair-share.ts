// Limits how much of the gateway one address may use at once, so that no address takes all of it.
import { parseIpAddress } from "../../../platform/addresses/ip-address.ts";

export interface FairShareOptions {
  readonly most: number;
  /** Returns true for addresses without a limit: proxies, which send the requests of many visitors. */
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

  /** Returns false if the address already uses its share; then there is nothing to release. */
  take(address: string): boolean {
    const holder = toHolder(address);
    const held = this.#held.get(holder) ?? 0;
    if (held >= this.#most && !this.#isExempt(address)) return false;
    this.#held.set(holder, held + 1);
    return true;
  }

  /** Call once for each `take` that returned true. */
  release(address: string): void {
    const holder = toHolder(address);
    const held = this.#held.get(holder)!;
    if (held > 1) this.#held.set(holder, held - 1);
    else this.#held.delete(holder);
  }
}

/** Returns the network for IPv6, its first 64 bits: one visitor can use any address in it. */
function toHolder(address: string): string {
  const known = address.includes(":") ? parseIpAddress(address) : undefined;
  return known?.family === 6 ? `${known.value >> 64n}` : address;
}
