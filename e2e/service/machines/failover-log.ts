// The log of a failover, for people.

export class FailoverLog {
  readonly #startMs = Date.now();
  readonly #lines: string[] = [];

  /** Adds a line; `tookMs` since the decision, if that counts. */
  add(text: string, tookMs?: number): void {
    const at = ((Date.now() - this.#startMs) / 1_000).toFixed(1).padStart(6);
    const took = tookMs === undefined ? "" : `: ${(tookMs / 1_000).toFixed(2)} s after the decision`;
    this.#lines.push(`${at} s  ${text}${took}`);
  }

  print(): void {
    process.stdout.write(`${this.#lines.join("\n")}\n`);
  }
}
