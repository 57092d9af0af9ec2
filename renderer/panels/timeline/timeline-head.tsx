// The line above the timeline: its order, what has just arrived, how much of the event it holds, and "As known at".
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { PlayOrder } from "../../state/timeline/play-order.ts";
import { clockMinute, counted } from "../../text/format.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { CaptionedChoice } from "../controls/segmented.tsx";
import { ViewFilter } from "../change/view-filter.tsx";
import { HiddenStatus, TimelineKnownAtBanner } from "./known-at/known-at-banner.tsx";
import { KnownAtField } from "./known-at/known-at-field.tsx";
import type { TimelineHistory } from "./timeline-history.ts";
import { useShortcut } from "../hooks/use-shortcut.ts";

const orderOptions: readonly { value: PlayOrder; label: string; hint: string }[] = [
  { value: "published", label: "Published", hint: "Every revision, in the order of publication" },
  { value: "observed", label: "Observed", hint: "A column for each observed time" },
];

interface TimelineHeadProps {
  readonly history: TimelineHistory;
  /** Sequence of a correction that has just arrived. */
  readonly arrived: number | undefined;
}

export function TimelineHead({ history, arrived }: TimelineHeadProps): ReactNode {
  const { store } = useViewer();
  const order = useViewerState((state) => state.timelineOrder);
  const { after } = useShortcut("timeline-order");
  const isNow = useViewerState((state) => state.knownAt === undefined);
  /** The mode in which the person opened the field: another mode closes it. */
  const [typedIn, setTypedIn] = useState<"now" | "past" | "closed">();
  const mode = isNow ? "now" : "past";
  const isTyping = typedIn === mode;
  if (typedIn !== undefined && typedIn !== "closed" && !isTyping) setTypedIn("closed");
  const notes = useRef<HTMLDivElement>(null);
  // The focus returns from the field to what opens it.
  const wasOpened = typedIn !== undefined;
  useEffect(() => {
    if (wasOpened && !isTyping) notes.current?.querySelector<HTMLElement>(".known-edit")?.focus();
  }, [wasOpened, isTyping]);
  const hasRevisions = history.all.length > 0;
  const type = (): void => {
    setTypedIn(mode);
  };
  const field = isTyping && (
    <KnownAtField
      history={history}
      onClose={() => {
        setTypedIn("closed");
      }}
    />
  );
  return (
    <div className="timeline-head">
      <CaptionedChoice
        className="timeline-order"
        caption="Order"
        legend="Order"
        options={orderOptions.map(({ hint, ...option }) => ({ ...option, hint: after(hint) }))}
        value={order}
        onChange={store.getState().setTimelineOrder}
      />
      <ViewFilter />
      <div className="timeline-notes" ref={notes}>
        {isNow && !isTyping && (
          <>
            <ArrivalNote sequence={arrived} />
            <HeldNote history={history} />
            {hasRevisions && (
              <Button className="button small known-edit" onPress={type}>
                As known at…
              </Button>
            )}
          </>
        )}
        {isNow && field}
        <TimelineKnownAtBanner onEdit={type} field={field} />
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
          Revision {revision.sequence} corrects {clockMinute(revision.observedMs)}
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
