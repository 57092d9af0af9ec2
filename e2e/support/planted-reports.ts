// An event of hail with planted cells, and reports with planted verdicts. What is expected of each report comes from
// loops over the cells that were written, with distances by vectors: no code of the program.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeGribFile } from "../../electron/support/grib-files.ts";
import { runCommand } from "../../electron/support/host-process.ts";

const grid = { columns: 200, rows: 160, westUdeg: -98_000_000, northUdeg: 36_000_000 };
const cellDeg = 0.01;

/** Hail at a cell, in millimeters. */
interface Stone {
  readonly row: number;
  readonly column: number;
  readonly mm: number;
}

/** A window as it stands in the end. */
interface PlantedWindow {
  readonly at: string;
  readonly sequence: number;
  readonly stones: readonly Stone[];
  /** Columns from here on are outside coverage. */
  readonly coveredColumns: number;
}

const core = { row: 40, column: 40, mm: 30 };
const weak = { row: 110, column: 40, mm: 24.9 };
const beside = { row: 44, column: 40, mm: 13 };
const corrected = { row: 40, column: 120, mm: 52 };
const partial = 150;
const day = "2024-05-20";

/** In order of publication; the last one corrects the third. */
const published: readonly PlantedWindow[] = [
  { at: `${day}T21:00:00Z`, sequence: 1, stones: [core, weak], coveredColumns: partial },
  { at: `${day}T21:04:00Z`, sequence: 2, stones: [core, beside], coveredColumns: partial },
  { at: `${day}T21:10:00Z`, sequence: 3, stones: [weak], coveredColumns: partial },
  { at: `${day}T21:50:00Z`, sequence: 4, stones: [], coveredColumns: grid.columns },
  { at: `${day}T21:52:00Z`, sequence: 5, stones: [], coveredColumns: partial },
  { at: `${day}T22:30:00Z`, sequence: 6, stones: [{ ...core, mm: 210 }], coveredColumns: partial },
  { at: `${day}T21:10:00Z`, sequence: 7, stones: [weak, corrected], coveredColumns: partial },
];
const standing = published.filter(({ sequence }) => sequence !== 3);

type Verdict = "hit" | "miss" | "not-covered";

interface ExpectedLine {
  readonly at: string;
  readonly lon: number;
  readonly lat: number;
  readonly sizeMm: number;
  readonly nearest: readonly {
    readonly withinKm: number;
    readonly class: readonly [number, number | null] | null;
    readonly distanceKm: number | null;
    readonly observedAt: string | null;
    readonly sequence: number | null;
  }[];
  readonly verdict: Verdict;
}

export interface PlantedReport {
  readonly at: string;
  readonly lon: number;
  readonly lat: number;
  /** In inches. */
  readonly size: number;
  /** The line that is expected of it. */
  readonly line: ExpectedLine;
}

/** A place some cells from the center of a cell. */
function beyond({ row, column }: Stone, cellsEast: number, cellsSouth: number): { lon: number; lat: number } {
  const round = (degrees: number): number => Math.round(degrees * 1e4) / 1e4;
  return {
    lon: round(-98 + (column + 0.5 + cellsEast) * cellDeg),
    lat: round(36 - (row + 0.5 + cellsSouth) * cellDeg),
  };
}

const drafts: readonly (Omit<PlantedReport, "line"> & { readonly verdict: Verdict })[] = [
  // Three cells beside the core.
  { at: `${day}T21:05:00Z`, ...beyond(core, 3, 0), size: 1, verdict: "hit" },
  // The core lies between 10 and 20 km, smaller hail nearer.
  { at: `${day}T21:06:00Z`, ...beyond(core, 0, 12), size: 1.75, verdict: "hit" },
  // A class that ends at one inch exactly.
  { at: `${day}T21:03:00Z`, ...beyond(weak, -2, 1), size: 1, verdict: "miss" },
  // Hail that only the correction has.
  { at: `${day}T21:12:00Z`, ...beyond(corrected, 1, 1), size: 2, verdict: "hit" },
  // Outside coverage in every frame of the time, and inside it in one.
  { at: `${day}T21:03:00Z`, lon: -96.2, lat: 34.6, size: 1, verdict: "not-covered" },
  { at: `${day}T21:51:00Z`, lon: -96.2, lat: 34.6, size: 1, verdict: "miss" },
  // Fifteen minutes before the last frame, exactly, and a minute more.
  { at: `${day}T22:15:00Z`, ...beyond(core, 0, 0), size: 3, verdict: "hit" },
  { at: `${day}T22:14:00Z`, ...beyond(core, 0, 0), size: 3, verdict: "not-covered" },
  // Nothing is near.
  { at: `${day}T21:00:00Z`, lon: -97.6, lat: 34.5, size: 0.88, verdict: "miss" },
];

function distanceKm(lon: number, lat: number, toLon: number, toLat: number): number {
  const toVector = (a: number, b: number): [number, number, number] => {
    const [east, north] = [(a * Math.PI) / 180, (b * Math.PI) / 180];
    return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
  };
  const [[a, b, c], [x, y, z]] = [toVector(lon, lat), toVector(toLon, toLat)];
  return 6371 * Math.atan2(Math.hypot(b * z - c * y, c * x - a * z, a * y - b * x), a * x + b * y + c * z);
}

/** Classes are steps of 1/32 in up to 4 in, of 1/8 in up to 8 in, and one above. */
function classOf(mm: number): readonly [number, number | null] {
  const toMm = (thirtySeconds: number): number => (thirtySeconds * 79_375) / 100_000;
  const thirtySeconds = mm / 0.79375;
  if (thirtySeconds >= 256) return [toMm(256), null];
  const step = thirtySeconds < 128 ? 1 : 4;
  const lower = Math.floor(thirtySeconds / step) * step;
  return [toMm(lower), toMm(lower + step)];
}

function expectLine({ at, lon, lat, size, verdict }: (typeof drafts)[number]): ExpectedLine {
  const ms = Date.parse(at);
  const cells = standing
    .filter((window) => Math.abs(Date.parse(window.at) - ms) <= 15 * 60_000)
    .flatMap(({ at: observedAt, sequence, stones }) =>
      stones.map((stone) => ({
        ...{ observedAt, sequence, class: classOf(stone.mm) },
        km: distanceKm(lon, lat, -98 + (stone.column + 0.5) * cellDeg, 36 - (stone.row + 0.5) * cellDeg),
        apartMs: Math.abs(Date.parse(observedAt) - ms),
      })),
    );
  const nearest = [5, 10, 20].map((withinKm) => {
    const [best] = cells
      .filter(({ km }) => km <= withinKm)
      .toSorted((a, b) => b.class[0] - a.class[0] || a.km - b.km || a.apartMs - b.apartMs);
    if (!best) return { withinKm, class: null, distanceKm: null, observedAt: null, sequence: null };
    const { observedAt, sequence, km } = best;
    return { withinKm, class: best.class, distanceKm: Math.round(km * 1000) / 1000, observedAt, sequence };
  });
  return { at, lon, lat, sizeMm: Math.round(size * 25.4 * 1000) / 1000, nearest, verdict };
}

export const plantedEvent = {
  id: "planted",
  planted: drafts.map((draft): PlantedReport => ({ ...draft, line: expectLine(draft) })),
  totals: { reports: 9, hit: 4, miss: 3, "not-covered": 2 },
  /** A report that a correction turned from one verdict into another. */
  corrected: { report: 3, sequence: 7, before: "miss", after: "hit" },
} as const;

/**
 * Publishes the event to the stores that options of a command name. Its source files are gone afterwards, so that a
 * damaged frame cannot be restored.
 */
export async function plantReports(folder: string, stores: readonly string[]): Promise<void> {
  const files = join(folder, "planted");
  mkdirSync(files, { recursive: true });
  for (const { at, sequence, stones, coveredColumns } of published) {
    const path = writeGribFile(files, {
      ...{ product: "mrms-mesh", observedAt: at, ...grid, name: `${sequence}.grib2.gz` },
      values: (row, column) => {
        if (column >= coveredColumns) return -3;
        return stones.find((stone) => stone.row === row && stone.column === column)?.mm ?? -1;
      },
    });
    const { status, stderr } = await runCommand([
      ...["ingest", ...stores, "--event", plantedEvent.id, "--no-keep", path],
    ]);
    if (status !== 0) throw new Error(stderr);
  }
  rmSync(files, { recursive: true });
}
