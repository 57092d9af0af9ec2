// The chosen "As known at" in words; undefined now.
import { newestUpTo } from "../../../../shared/revisions/known-at.ts";
import { selectShownRevision } from "../../../state/selectors.ts";
import { knownAtWords, type KnownAtWords } from "../../../text/known-at-text.ts";
import { useViewerState } from "../../../viewer-context.ts";
import { usePublished } from "../../hooks/use-published.ts";

export interface KnownAt extends KnownAtWords {
  readonly sequence: number;
  /** Publication time in milliseconds; undefined if it is not known. */
  readonly publishedMs: number | undefined;
}

export function useKnownAt(): KnownAt | undefined {
  const sequence = useViewerState((state) => state.knownAt);
  const revision = useViewerState(({ history, knownAt }) =>
    knownAt === undefined ? undefined : newestUpTo(history.all, knownAt),
  );
  const latest = useViewerState(({ history }) => history.latestSequence);
  const hidden = useViewerState(({ history }) => history.all.length - history.revisions.length);
  const observedMs = useViewerState((state) => selectShownRevision(state)?.observedMs);
  const { publishedMs } = usePublished(revision);
  if (sequence === undefined || latest === undefined) return undefined;
  return {
    sequence,
    publishedMs,
    ...knownAtWords({ sequence, latest, hidden, publishedMs, observedMs }),
  };
}
