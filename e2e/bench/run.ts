// `npm run bench [name…]`: runs all benchmarks or the named ones. Prints one JSON line per row on standard output and a
// table on standard error.
import type { BenchRow } from "./bench-row.ts";

const benchmarks: Readonly<Record<string, () => Promise<{ run: () => Promise<BenchRow[]> }>>> = {
  ingest: () => import("./ingest.ts"),
  "http-frame": () => import("./http-frame.ts"),
  "http-json": () => import("./http-json.ts"),
  notices: () => import("./notices.ts"),
  "viewer-step": () => import("./viewer-step.ts"),
  "panes-step": () => import("./panes-step.ts"),
  overlays: () => import("./overlays.ts"),
  "folder-to-screen": () => import("./folder-to-screen.ts"),
  places: () => import("./places.ts"),
  "feed-day": () => import("./feed-day.ts"),
  "known-at": () => import("./known-at.ts"),
  "swath-step": () => import("./swath-step.ts"),
  contours: () => import("./contours.ts"),
  "export-loop": () => import("./export-loop.ts"),
  "export-picture": () => import("./export-picture.ts"),
  "export-stills": () => import("./export-stills.ts"),
  "place-story": () => import("./place-story.ts"),
  "catalog-size": () => import("./catalog-size.ts"),
  "git-transfer": () => import("./git-transfer.ts"),
  gateway: () => import("./gateway.ts"),
  analysis: () => import("./analysis.ts"),
  service: () => import("./service.ts"),
};

function verdict({ met, ours, target }: BenchRow): string {
  if (ours === null) return "not measured";
  if (met !== null) return met ? "met" : "MISSED";
  return target === "-" ? "no target" : "peer not installed";
}

function figure(value: number | null): string {
  return value === null
    ? "-"
    : value.toLocaleString("en-US", { maximumSignificantDigits: 4, useGrouping: false });
}

function table(rows: readonly BenchRow[]): string {
  const cells = [
    ["row", "benchmark", "metric", "ours", "peer", "", "ratio", "target", "verdict"],
    ...rows.map((row) => [
      String(row.row),
      row.name,
      row.metric,
      figure(row.ours),
      figure(row.peer),
      row.peerName,
      figure(row.ratio),
      row.target,
      verdict(row),
    ]),
  ];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown benchmark "${unknown[0]!}". Available: ${Object.keys(benchmarks).join(", ")}.\n`,
  );
  process.exit(2);
}
const rows: BenchRow[] = [];
for (const [name, load] of Object.entries(benchmarks)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  process.stderr.write(`== ${name}\n`);
  const benchmark = await load();
  for (const row of await benchmark.run()) {
    rows.push(row);
    process.stdout.write(`${JSON.stringify(row)}\n`);
  }
}
process.stderr.write(`\n${table(rows)}\n`);
process.exitCode = rows.some(({ met }) => met === false) ? 1 : 0;
