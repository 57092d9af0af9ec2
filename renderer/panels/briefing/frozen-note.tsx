// Says at which publication the projector is frozen, and how much has arrived since. The one part that an arrival may
// change.
import type { ReactNode } from "react";
import { findWaiting } from "../../state/briefing/freezing.ts";
import type { Show } from "../../state/briefing/show.ts";
import { findRevision } from "../../state/timeline/revisions.ts";
import { frozenWords, waitingWords } from "../../text/briefing-mode-text.ts";
import { useViewerState } from "../../viewer-context.ts";
import { usePublished } from "../hooks/use-published.ts";

export function FrozenNote({ show: { frozen } }: { readonly show: Show }): ReactNode {
  const sequence = useViewerState((state) => frozen?.[state.selectedEventId ?? ""]);
  const revision = useViewerState((state) =>
    sequence === undefined ? undefined : findRevision(state.history.all, sequence),
  );
  const { publishedMs } = usePublished(revision);
  const count = useViewerState((state) => findWaiting(state, frozen).length);
  const waiting = count > 0 ? waitingWords(count) : undefined;
  return (
    <div className="show-box show-frozen" data-frozen={sequence !== undefined}>
      <p className="unseen" role="status">
        {sequence === undefined ? "Not frozen" : ["Frozen", waiting].filter(Boolean).join(", ")}
      </p>
      <p aria-hidden="true">
        <strong>
          {sequence === undefined
            ? "Follows the newest"
            : frozenWords(sequence, publishedMs, revision?.observedMs)}
        </strong>
        {waiting !== undefined && <span>{` · ${waiting}`}</span>}
      </p>
    </div>
  );
}
