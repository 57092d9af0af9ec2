// When a revision was published: read once when it is first shown.
import { useEffect } from "react";
import type { PublishedAt } from "../../state/slices/history-slice.ts";
import type { Revision } from "../../state/revisions.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";

/** Milliseconds since the Unix epoch; "…" while it is being read, "Unknown" if no manifest tells. */
export type PublishedMs = number | "…" | "Unknown";

export function usePublishedMs(revision: Revision | undefined): PublishedMs {
  const { session } = useViewer();
  const revisionId = revision?.revisionId;
  useEffect(() => {
    session.readPublished(revisionId);
  }, [session, revisionId]);
  return toMs(
    useViewerState((state) => (revisionId === undefined ? "unknown" : state.publishedAt[revisionId])),
  );
}

function toMs(published: PublishedAt | undefined): PublishedMs {
  if (published === undefined || published === "reading") return "…";
  return published === "unknown" ? "Unknown" : Date.parse(published.at);
}
