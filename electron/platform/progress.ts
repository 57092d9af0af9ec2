// Shows progress on standard error: a bar on a terminal, or a line every few seconds elsewhere. Work that ends within a
// second shows nothing.

export interface ProgressOptions {
  readonly label: string;
  readonly stream: { write(text: string): unknown; isTTY?: boolean; columns?: number };
  readonly nowMs: () => number;
}

export interface Progress {
  update(done: number, total: number): void;
  /** Clears the bar, so that a line can follow. */
  end(): void;
}

const quietMs = 1000;
const redrawMs = 100;
const plainLineMs = 5000;
const barWidth = 28;

export function createProgress({ label, stream, nowMs }: ProgressOptions): Progress {
  const startedMs = nowMs();
  let lastMs = startedMs;
  let drawn = false;
  const bar = (done: number, total: number): string => {
    const share = total === 0 ? 1 : done / total;
    const filled = Math.round(share * barWidth);
    return `${label} [${"#".repeat(filled)}${" ".repeat(barWidth - filled)}] ${done}/${total}`;
  };
  return {
    update(done, total) {
      const now = nowMs();
      if (now - startedMs < quietMs) return;
      if (stream.isTTY === true) {
        if (drawn && now - lastMs < redrawMs && done < total) return;
        stream.write(`\r${bar(done, total).slice(0, (stream.columns ?? 80) - 1)}\x1b[K`);
      } else {
        if (drawn && now - lastMs < plainLineMs) return;
        stream.write(`${label} ${done} of ${total}\n`);
      }
      drawn = true;
      lastMs = now;
    },
    end() {
      if (!drawn || stream.isTTY !== true) return;
      stream.write("\r\x1b[K");
      drawn = false;
    },
  };
}
