// Hail reports against the frames of an event: each frame that any report needs is read once.
import { toLayerWindows } from "../../../shared/analysis/window-layers.ts";
import {
  ReportVerification,
  toFrameTasks,
  type VerifiedReport,
} from "../../../shared/reports/report-verification.ts";
import type { StormReport } from "../../../shared/reports/storm-report.ts";
import type { HistoryRevision } from "./event-history.ts";
import { runCrew, type CrewOptions } from "./frame-crew.ts";

export interface VerifyReportsOptions extends Omit<CrewOptions<"around">, "onResult"> {
  readonly onProgress: (done: number, total: number) => void;
}

export interface ReportsVerified {
  readonly verified: readonly VerifiedReport[];
  /** Times of observation of frames that could not be read. */
  readonly unreadable: readonly string[];
}

/** @throws as `runCrew` does */
export async function verifyReports(
  revisions: readonly HistoryRevision[],
  reports: readonly StormReport[],
  { onProgress, ...crew }: VerifyReportsOptions,
): Promise<ReportsVerified> {
  const frames = toLayerWindows(revisions, "mrms-mesh").flatMap(({ layer, since: { sequence } }) =>
    layer ? [{ ...layer, sequence }] : [],
  );
  const tasks = toFrameTasks(reports, frames);
  const items = tasks.map(({ frame: { frameId, bounds }, reports: near }) => {
    const places = near.map((index) => {
      const { coordinate, sizeMm } = reports[index]!;
      return { coordinate, sizeMm };
    });
    return { frameId, bounds, places };
  });
  const verification = new ReportVerification(reports);
  const unreadable: string[] = [];
  await runCrew(
    items.length,
    { kind: "around", setup: undefined, items },
    {
      ...crew,
      onResult: (readings, index) => {
        const task = tasks[index]!;
        if (readings) verification.add(task, readings);
        else unreadable.push(task.frame.observedAt);
        onProgress(index + 1, items.length);
      },
    },
  );
  return { verified: verification.finish(), unreadable };
}
