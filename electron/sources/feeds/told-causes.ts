// Remembers what was told already, so that each cause is told once. Bounded: the oldest is forgotten first.

const limit = 1000;

export class ToldCauses {
  readonly #told = new Set<string>();

  /** Whether this is new; it is told from now on. */
  tellOnce(cause: string): boolean {
    if (this.#told.has(cause)) return false;
    this.#told.add(cause);
    if (this.#told.size > limit) this.#told.delete(this.#told.values().next().value!);
    return true;
  }

  forget(): void {
    this.#told.clear();
  }
}
