// Fetches the window of an event, for the command line and for the viewer's task.
import { createRenderPool } from "../../pipeline/ingest/render-pool.ts";
import type { FetchReport } from "../../sources/feeds/fetch-event.ts";
import { fetchFrom, type FetchFromOptions } from "../../sources/feeds/fetch-from.ts";

/** Fetches with a render pool of its own. @throws as `fetchFrom` does */
export async function fetchWindow(
  workerUrl: URL,
  options: Omit<FetchFromOptions, "pool">,
): Promise<FetchReport> {
  const pool = createRenderPool({ workerUrl });
  try {
    return await fetchFrom({ ...options, pool });
  } finally {
    await pool.close();
  }
}

/** Returns the report as sentences. `lastFailure` is the message of the last file that failed. */
export function toFetchSummary(report: FetchReport, lastFailure?: string): string {
  const { listed, known, failed, missingWindows, isComplete } = report;
  const cause = lastFailure === undefined ? "" : `, the last one because of: ${lastFailure}`;
  const parts = [
    `The source lists ${listed} files for this window`,
    ...(known > 0 ? [`${known} were already here`] : []),
    ...(failed > 0 ? [`${failed} failed${cause}`] : []),
    ...(missingWindows > 0 ? [`${missingWindows} windows are missing there`] : []),
  ];
  return `${parts.join("; ")}. The event is ${isComplete ? "complete" : "not complete"}.`;
}
