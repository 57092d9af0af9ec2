// Storm reports against radar estimates: which frames each hail report needs, and what they say of it together.
import type { PlaceReading } from "../analysis/place-reading.ts";
import { exceeds, reachesKm, type AroundReading, type FoundCell } from "./around-reading.ts";
import type { StormReport } from "./storm-report.ts";

/** Most time between a report and a frame, before or after. */
export const mostApartMs = 15 * 60_000;
/** A hit has a class beyond one inch within the farthest distance. */
const severeMm = 25.4;

export const verdicts = ["hit", "miss", "not-covered"] as const;
export type Verdict = (typeof verdicts)[number];

/** A hail frame as it stands in its window. */
export interface EstimateFrame {
  readonly observedAt: string;
  /** The revision since which it stands. */
  readonly sequence: number;
}

/** A cell that was found, and the frame that it is of. */
export type NearestEstimate = FoundCell & EstimateFrame;

export interface VerifiedReport {
  readonly report: StormReport;
  readonly verdict: Verdict;
  /** For each of `reachesKm`; undefined where no cell has a class. */
  readonly nearest: readonly (NearestEstimate | undefined)[];
  /** The nearest cell whose class reaches the reported size. */
  readonly ofSize: NearestEstimate | undefined;
  /** The largest at the place itself over all frames; undefined without a frame. */
  readonly atPlace: PlaceReading | undefined;
}

export type ReportTotals = Readonly<Record<"reports" | Verdict, number>>;

/** A frame, and the reports that it is read for, as indices. */
export interface FrameTask<Frame> {
  readonly frame: Frame;
  readonly reports: readonly number[];
}

/** Returns the frames within 15 minutes of any report, in their order, each once. */
export function toFrameTasks<Frame extends Pick<EstimateFrame, "observedAt">>(
  reports: readonly StormReport[],
  frames: readonly Frame[],
): FrameTask<Frame>[] {
  return frames
    .map((frame) => {
      const observedMs = Date.parse(frame.observedAt);
      const near = reports.flatMap(({ atMs }, index) =>
        Math.abs(observedMs - atMs) <= mostApartMs ? [index] : [],
      );
      return { frame, reports: near };
    })
    .filter(({ reports: near }) => near.length > 0);
}

/** Merges what the frames say, in any order. */
export class ReportVerification {
  readonly #reports: readonly StormReport[];
  readonly #merged: Merged[];

  constructor(reports: readonly StormReport[]) {
    this.#reports = reports;
    this.#merged = reports.map(() => ({
      atPlace: undefined,
      nearest: reachesKm.map(() => undefined),
      ofSize: undefined,
    }));
  }

  /** Takes the readings of a frame, one for each report of its task. */
  add({ frame, reports }: FrameTask<EstimateFrame>, readings: readonly AroundReading[]): void {
    const { observedAt, sequence } = frame;
    readings.forEach(({ atPlace, largest, ofSize }, at) => {
      const index = reports[at]!;
      const merged = this.#merged[index]!;
      const { atMs } = this.#reports[index]!;
      const from = (cell: FoundCell | undefined): NearestEstimate | undefined =>
        cell && { ...cell, observedAt, sequence };
      merged.atPlace = pickReading(merged.atPlace, atPlace);
      merged.nearest = merged.nearest.map((best, reach) => pickLargest(best, from(largest[reach]), atMs));
      merged.ofSize = pickNearest(merged.ofSize, from(ofSize), atMs);
    });
  }

  finish(): VerifiedReport[] {
    return this.#reports.map((report, index) => {
      const merged = this.#merged[index]!;
      return { report, ...merged, verdict: toVerdict(merged) };
    });
  }
}

interface Merged {
  atPlace: PlaceReading | undefined;
  nearest: readonly (NearestEstimate | undefined)[];
  ofSize: NearestEstimate | undefined;
}

function toVerdict({ nearest, atPlace }: Merged): Verdict {
  const largest = nearest.at(-1);
  if (largest && exceeds(largest.range, severeMm)) return "hit";
  return !atPlace || atPlace.kind === "outside-coverage" ? "not-covered" : "miss";
}

type Candidate = NearestEstimate | undefined;

/** The larger class; of equal ones the nearer. */
function pickLargest(best: Candidate, other: Candidate, atMs: number): Candidate {
  if (!best || !other) return best ?? other;
  if (best.range.lower !== other.range.lower) return other.range.lower > best.range.lower ? other : best;
  return pickNearest(best, other, atMs);
}

/** The nearer cell; of equally near ones that of the frame nearest in time, then of the earlier one. */
function pickNearest(best: Candidate, other: Candidate, atMs: number): Candidate {
  if (!best || !other) return best ?? other;
  const [bestMs, otherMs] = [Date.parse(best.observedAt), Date.parse(other.observedAt)];
  const later =
    other.distanceKm - best.distanceKm ||
    Math.abs(otherMs - atMs) - Math.abs(bestMs - atMs) ||
    otherMs - bestMs;
  return later < 0 ? other : best;
}

/** The larger class; else "below" if any frame covers the place. */
function pickReading(best: PlaceReading | undefined, other: PlaceReading): PlaceReading {
  if (!best || best.kind === "outside-coverage") return other;
  if (other.kind !== "class") return best;
  return best.kind === "class" && best.range.lower >= other.range.lower ? best : other;
}

/** Counts the reports by their verdicts. */
export function toTotals(verified: readonly Pick<VerifiedReport, "verdict">[]): ReportTotals {
  const count = (wanted: Verdict): number => verified.filter(({ verdict }) => verdict === wanted).length;
  return {
    reports: verified.length,
    hit: count("hit"),
    miss: count("miss"),
    "not-covered": count("not-covered"),
  };
}
