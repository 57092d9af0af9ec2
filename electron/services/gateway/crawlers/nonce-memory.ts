// The nonces of signatures that were accepted, for as long as each signature could be shown again. Bounded: when it is full,
// nothing new is accepted, which leaves visitors with the page as it is.

export interface NonceMemory {
  /** Remembers it until that instant, in milliseconds: false where it is known already, or there is no room. */
  readonly take: (nonce: string, untilMs: number, nowMs: number) => boolean;
}

export function createNonceMemory({ capacity }: { readonly capacity: number }): NonceMemory {
  const until = new Map<string, number>();
  return {
    take(nonce, untilMs, nowMs) {
      if ((until.get(nonce) ?? -Infinity) >= nowMs) return false;
      if (until.size >= capacity) {
        for (const [known, endMs] of until) if (endMs < nowMs) until.delete(known);
        if (until.size >= capacity) return false;
      }
      until.set(nonce, untilMs);
      return true;
    },
  };
}
