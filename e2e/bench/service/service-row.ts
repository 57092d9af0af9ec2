// Rows of a service's benchmarks. Clients, readers, database and objects share the processors of one machine.
import type { BenchRow } from "../bench-row.ts";

/** `ECHOTOP_BENCH=short` tries every row with small numbers. */
export const isShort = process.env.ECHOTOP_BENCH === "short";

const defaultNote = "on one machine with its engines";

export interface Figures {
  readonly name: string;
  readonly metric: string;
  readonly ours: number | null;
  /** Value that ours is compared with. */
  readonly peer?: { readonly value: number; readonly name: string };
  /** True if more is better. */
  readonly isRate?: boolean;
  readonly target: string;
  /** Null without a target. */
  readonly met: boolean | null;
  readonly note?: string;
}

export function toRow({ peer, isRate = false, note = defaultNote, ...figures }: Figures): BenchRow {
  const { ours } = figures;
  const factor = peer === undefined || ours === null ? null : peer.value / ours;
  return {
    ...figures,
    row: 0,
    peer: peer?.value ?? null,
    peerName: peer?.name ?? "-",
    ratio: isRate && factor !== null ? 1 / factor : factor,
    note,
  };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
