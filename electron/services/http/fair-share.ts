// Limits how much of a listener one address may use at once, so that no address takes all of it.
import { parseIpAddress } from "../../platform/addresses/ip-address.ts";

export interface FairShareOptions {
  /** Returns the share of an address. */
  readonly mostOf: (address: string) => number;
  /** Limit for all addresses together; default none. */
  readonly total?: number;
}

export class FairShare {
  readonly #mostOf: (address: string) => number;
  readonly #total: number;
  readonly #held = new Map<string, number>();
  #taken = 0;

  constructor({ mostOf, total = Infinity }: FairShareOptions) {
    this.#mostOf = mostOf;
    this.#total = total;
  }

  /** Returns false if the address already uses its share; then there is nothing to release. */
  take(address: string): boolean {
    const held = this.#held.get(toHolder(address)) ?? 0;
    if (this.#taken >= this.#total || held >= this.#mostOf(address)) return false;
    this.add(address);
    return true;
  }

  /** Takes even beyond the share. */
  add(address: string): void {
    const holder = toHolder(address);
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + 1);
    this.#taken += 1;
  }

  /** Call once for each `add`, and each `take` that returned true. */
  release(address: string): void {
    const holder = toHolder(address);
    const held = this.#held.get(holder)!;
    if (held > 1) this.#held.set(holder, held - 1);
    else this.#held.delete(holder);
    this.#taken -= 1;
  }
}

/** Returns the network for IPv6, its first 64 bits: one visitor can use any address in it. */
function toHolder(address: string): string {
  const known = address.includes(":") ? parseIpAddress(address) : undefined;
  return known?.family === 6 ? `${known.value >> 64n}` : address;
}
