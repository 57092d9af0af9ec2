// The publication time of a revision in words, read while the revision is shown until it is known.
import { useEffect } from "react";
import type { Revision } from "../../state/timeline/revisions.ts";
import { publicationDelay, timeWithZone } from "../../text/format.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";

export interface PublishedWords {
  /** `11:02:43 UTC`; `…` while it is being read, `Unknown` if no manifest has it. */
  readonly time: string;
  /** `+2 min 03 s` after the observation, or the day; undefined without a time. */
  readonly delay?: string;
  /** Milliseconds since the Unix epoch; undefined without a time. */
  readonly publishedMs?: number;
}

export function usePublished(revision: Revision | undefined): PublishedWords {
  const { session } = useViewer();
  const revisionId = revision?.revisionId;
  useEffect(() => session.followPublished(revisionId), [session, revisionId]);
  const published = useViewerState((state) =>
    revisionId === undefined ? "unknown" : state.publishedAt[revisionId],
  );
  if (published === undefined || published === "reading") return { time: "…" };
  if (published === "unknown" || !revision) return { time: "Unknown" };
  const publishedMs = Date.parse(published.at);
  return {
    publishedMs,
    time: timeWithZone(publishedMs),
    delay: publicationDelay(revision.observedMs, publishedMs),
  };
}
