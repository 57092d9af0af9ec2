// The line above the timeline: its order, what has just arrived, how much of the event it holds, and "As known at".
import { useState, type ReactNode } from "react";
import type { PlayOrder } from "../../state/play-order.ts";
import { counted, utcMinute } from "../../text/format.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { Segmented } from "../controls/segmented.tsx";
import { ViewFilter } from "../change/view-filter.tsx";
import { HiddenStatus, TimelineKnownAtBanner } from "./known-at/known-at-banner.tsx";
import { KnownAtField } from "./known-at/known-at-field.tsx";
import type { TimelineHistory } from "./timeline-history.ts";

const orderOptions: readonly { value: PlayOrder; label: string; hint: string }[] = [
  { value: "published", label: "Published", hint: "Every revision, in the order of publication (O)" },
  { value: "observed", label: "Observed", hint: "A column for each observed time (O)" },
];

interface TimelineHeadProps {
  readonly history: TimelineHistory;
  /** Sequence of a correction that has just arrived. */
  readonly arrived: number | undefined;
}

export function TimelineHead({ history, arrived }: TimelineHeadProps): ReactNode {
  const { store } = useViewer();
  const order = useViewerState((state) => state.timelineOrder);
  const isNow = useViewerState((state) => state.knownAt === undefined);
  const [isTyping, setTyping] = useState(false);
  const hasRevisions = history.all.length > 0;
  return (
    <div className="timeline-head">
      <div className="timeline-order">
        <span className="caption" aria-hidden="true">
          Order
        </span>
        <Segmented
          legend="Order"
          options={orderOptions}
          value={order}
          onChange={store.getState().setTimelineOrder}
        />
      </div>
      <ViewFilter />
      <div className="timeline-notes">
        {isNow && !isTyping && (
          <>
            <ArrivalNote sequence={arrived} />
            <HeldNote history={history} />
            {hasRevisions && (
              <Button
                onPress={() => {
                  setTyping(true);
                }}
              >
                As known at…
              </Button>
            )}
          </>
        )}
        {isTyping && (
          <KnownAtField
            history={history}
            onClose={() => {
              setTyping(false);
            }}
          />
        )}
        {!isTyping && (
          <TimelineKnownAtBanner
            onEdit={() => {
              setTyping(true);
            }}
          />
        )}
        <HiddenStatus />
      </div>
    </div>
  );
}

/** Says that a correction has arrived, which moves nothing. */
function ArrivalNote({ sequence }: { readonly sequence: number | undefined }): ReactNode {
  const { store } = useViewer();
  const revision = useViewerState((state) => state.history.all.find((other) => other.sequence === sequence));
  return (
    <div role="status">
      {revision && (
        <p className="note note-warning">
          Revision {revision.sequence} corrects {utcMinute(revision.observedMs)}
          <Button
            className="link"
            onPress={() => {
              store.getState().showChange(revision.sequence);
            }}
          >
            Show what changed
          </Button>
        </p>
      )}
    </div>
  );
}

/** Says that playback is waiting, or how much of the event is held. */
function HeldNote({ history: { all } }: Pick<TimelineHeadProps, "history">): ReactNode {
  const buffering = useViewerState((state) => state.buffering);
  // Retention may have removed revisions that nothing holds any more.
  const latest = useViewerState(({ history }) => (history.isWhole ? undefined : history.latestSequence));
  const reading = useViewerState(
    ({ history, selectedEventId }) => history.phase === "loading" && selectedEventId !== undefined,
  );
  if (buffering) return <span className="caption">Waiting for the next frame…</span>;
  if (reading) return <span className="caption">Reading the revisions…</span>;
  if (all.length === 0) return null;
  const windows = new Set(all.map(({ window }) => window)).size;
  return <span className="caption held-note">{heldWords(all.length, latest, windows)}</span>;
}

/** `32 revisions of 27 windows`; `newest 360 of 1,204 · 353 windows` if the event has more than are held. */
function heldWords(held: number, latest: number | undefined, windows: number): string {
  const windowWords = counted(windows, "window", "windows");
  if (latest !== undefined && latest > held)
    return `newest ${held} of ${latest.toLocaleString("en-US")} · ${windowWords}`;
  return `${counted(held, "revision", "revisions")} of ${windowWords}`;
}
