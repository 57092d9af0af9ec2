// Ingest of local files into one event: finds them, records them, skips the published ones, draws and publishes the
// rest.
import { AppError } from "../../../shared/app-error.ts";
import { eventIdPattern } from "../../../shared/contract/identifiers.ts";
import type { Catalog, EventDraft } from "../../catalog/catalog.ts";
import { resolveIdentity } from "../../catalog/plans/event-rules.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import { discover } from "./discover.ts";
import { findSources } from "./find-sources.ts";
import { finish } from "./finish.ts";
import { publishInOrder } from "./publish-in-order.ts";
import type { RenderPool } from "./render-pool.ts";
import { createReporter, type FileResult } from "./ingest-report.ts";
import { toGroups } from "./schedule.ts";
import { settleKnown } from "./settle-known.ts";
import { createSourceKeeper, type SourcePlace } from "./source-keeper.ts";
import { toFailureLine } from "./source-error.ts";

export interface IngestOptions {
  /** Files and folders; relative paths start at the working directory. */
  readonly paths: readonly string[];
  readonly event: EventDraft;
  readonly catalog: Catalog;
  readonly frames: FrameStore;
  readonly pool: RenderPool;
  /** Place for copies of the files; undefined keeps none. */
  readonly sourcePlace?: SourcePlace | undefined;
  /** Called once for each file: first for unusable ones, then in order of publication. */
  readonly onFile: (result: FileResult) => void;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** False if more files of a historical event follow; true by default: the event is complete after this call. */
  readonly completesEvent?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Publishes the files in order of observation, in any order of the paths. A bad file is recorded, reported and skipped.
 * A historical event is active during the call.
 * @throws AppError `invalid-input` for an invalid event id; `conflict` for an archived event, or one of another kind or
 * origin; `storage-failed` if the disk refuses; the signal's reason. Files reported as complete by then are published.
 */
export async function ingestPaths(options: IngestOptions): Promise<void> {
  const { paths, event, catalog, onFile, onProgress = () => undefined, completesEvent = true } = options;
  const signal = options.signal ?? new AbortController().signal;
  if (!eventIdPattern.test(event.id)) {
    throw new AppError(
      "invalid-input",
      `"${event.id}" is not an event id: 1 to 64 lowercase letters, digits and inner hyphens.`,
    );
  }
  resolveIdentity(await catalog.findEvent(event.id), event);
  const reporter = createReporter(onFile, onProgress);
  const { files, unusable } = await findSources(paths, signal);
  reporter.expect(files.length + unusable.length);
  for (const { file, name, error } of unusable) {
    const line = toFailureLine(name, error);
    reporter.report({ file, product: null, observedAt: null, status: "failed", error: line });
  }
  const keeper = options.sourcePlace && createSourceKeeper(options.sourcePlace, catalog);
  const shared = { ...options, eventId: event.id, reporter, signal, keepSource: keeper?.keep };
  const candidates = await discover(files, shared);
  await finish(
    async () => {
      const open = await settleKnown(candidates, shared);
      await publishInOrder(toGroups(open), shared);
    },
    async () => {
      await keeper?.discardUnused();
      if (completesEvent) await catalog.completeEvent(event.id);
    },
  );
}
