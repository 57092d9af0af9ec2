// Ingest of local files: from paths to revisions of one event. Finds, discovers, skips what is published, draws, publishes.
import { AppError } from "../../../shared/app-error.ts";
import { EventId } from "../../../shared/contract/primitives.ts";
import type { Catalog, EventDraft } from "../../catalog/catalog.ts";
import { resolveIdentity } from "../../catalog/event-rules.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import { discover } from "./discover.ts";
import { findSources } from "./find-sources.ts";
import { finish } from "./finish.ts";
import { publishInOrder } from "./publish-in-order.ts";
import type { RenderPool } from "./render-pool.ts";
import { createReporter, type FileResult } from "./ingest-report.ts";
import { toGroups } from "./schedule.ts";
import { settleKnown } from "./settle-known.ts";
import { toFailureLine } from "./source-error.ts";

export interface IngestOptions {
  /** Files and folders, relative ones to the working directory. */
  readonly paths: readonly string[];
  readonly event: EventDraft;
  readonly catalog: Catalog;
  readonly frames: FrameStore;
  readonly pool: RenderPool;
  /** One call a file, as soon as its fate is known: files that cannot be used first, then in order of publication. */
  readonly onFile: (result: FileResult) => void;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Whether a historical event is complete when the call ends: true where this is left out, false where more follows. */
  readonly completesEvent?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Publishes what the files hold, in order of observation however they are ordered. A bad file is recorded and reported
 * and stops nothing. A historical event is active meanwhile and, unless told otherwise, complete afterwards.
 * @throws AppError `invalid-input` for an event id outside the contract; `conflict` for an archived event, or one of
 * another kind or origin; `storage-failed` where the disk refuses; the signal's reason when it is aborted. What was
 * reported as complete by then is published.
 */
export async function ingestPaths(options: IngestOptions): Promise<void> {
  const { paths, event, catalog, onFile, onProgress = () => undefined, completesEvent = true } = options;
  const signal = options.signal ?? new AbortController().signal;
  if (!EventId.safeParse(event.id).success) {
    throw new AppError(
      "invalid-input",
      `"${event.id}" is not an event id: 1 to 64 lower-case letters, digits and inner hyphens.`,
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
  const shared = { ...options, eventId: event.id, reporter, signal };
  const candidates = await discover(files, shared);
  await finish(
    async () => {
      const open = await settleKnown(candidates, shared);
      await publishInOrder(toGroups(open), shared);
    },
    async () => {
      if (completesEvent) await catalog.completeEvent(event.id);
    },
  );
}
