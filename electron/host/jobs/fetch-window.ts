// Fetches the window of an event, for the command line and for the viewer's task.
import { createRenderPool } from "../../pipeline/ingest/render-pool.ts";
import type { Effects } from "../../platform/effects.ts";
import { createFileSource } from "../../sources/feeds/create-source.ts";
import type { FileSourceConfig } from "../../sources/feeds/feed-config.ts";
import { fetchEvent, type FetchOptions, type FetchReport } from "../../sources/feeds/fetch-event.ts";

export interface FetchWindowOptions extends Omit<FetchOptions, "source" | "effects" | "pool"> {
  readonly source: FileSourceConfig;
  readonly effects: Pick<Effects, "now" | "sleep" | "random" | "fetch">;
}

/** Fetches with a render pool of its own. @throws as `fetchEvent` does */
export async function fetchWindow(
  workerUrl: URL,
  { source, ...options }: FetchWindowOptions,
): Promise<FetchReport> {
  const pool = createRenderPool({ workerUrl });
  try {
    return await fetchEvent({
      ...options,
      pool,
      source: createFileSource(source, options.effects),
    });
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
