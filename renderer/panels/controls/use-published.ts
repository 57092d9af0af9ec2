// When a revision was published, for a panel: read once when first wanted, and "…" until it is known.
import { useEffect } from "react";
import type { PublishedAt } from "../../state/slices/history-slice.ts";
import type { Revision } from "../../state/revisions.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";

/** A revision without an identity has no manifest: nothing can say when it was published. */
export function usePublished(revision: Revision | undefined): PublishedAt | undefined {
  const { session } = useViewer();
  const revisionId = revision?.revisionId;
  useEffect(() => {
    session.readPublished(revisionId);
  }, [session, revisionId]);
  return useViewerState((state) => (revisionId === undefined ? "unknown" : state.publishedAt[revisionId]));
}

/** Milliseconds since the Unix epoch, or the words for what is not known. */
export function toPublishedMs(published: PublishedAt | undefined): number | "…" | "not known" {
  if (published === undefined || published === "reading") return "…";
  return published === "unknown" ? "not known" : Date.parse(published.at);
}
