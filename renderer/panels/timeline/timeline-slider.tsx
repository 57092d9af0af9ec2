// The slider of the timeline in either order: dragged, stepped, wheeled and read out.
import { useEffect, useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { clockDay, timeWithZone } from "../../text/format.ts";
import { publicationsOf, type Revision } from "../../state/timeline/revisions.ts";
import { selectWantedRevision } from "../../state/selectors.ts";
import { publicationWords } from "../../text/state-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { usePublished } from "../hooks/use-published.ts";
import { toSteps } from "./geometry/slider-keys.ts";

/** Turn of the wheel for one step, in CSS pixels. */
const wheelStepPx = 40;

/** A place in the drawing, in CSS pixels. */
export interface Place {
  readonly xPx: number;
  readonly yPx: number;
}

interface SliderProps {
  /** Returns the sequence that a press or drag at this place shows. */
  readonly sequenceAt: (place: Place) => number | undefined;
  /** Undefined when the pointer leaves. */
  readonly onPoint: (place: Place | undefined) => void;
  readonly onFocus: (focused: boolean) => void;
  readonly children: ReactNode;
}

export function TimelineSlider({ sequenceAt, onPoint, onFocus, children }: SliderProps): ReactNode {
  const { store } = useViewer();
  const revisions = useViewerState((state) => state.history.revisions);
  const order = useViewerState((state) => state.timelineOrder);
  const wanted = useViewerState(selectWantedRevision);
  const valueText = useValueText(wanted);
  const track = useRef<HTMLDivElement>(null);
  useWheelSteps(track);

  function pointAt(event: PointerEvent<HTMLDivElement>): void {
    const plot = (event.currentTarget.firstElementChild ?? event.currentTarget).getBoundingClientRect();
    const place = { xPx: event.clientX - plot.left, yPx: event.clientY - plot.top };
    onPoint(place);
    const dragging = (event.buttons & 1) === 1 && event.currentTarget.hasPointerCapture(event.pointerId);
    const sequence = dragging ? sequenceAt(place) : undefined;
    if (sequence !== undefined && sequence !== wanted?.sequence) store.getState().goTo(sequence);
  }

  function press(event: KeyboardEvent): void {
    const steps = toSteps(event);
    if (steps === undefined) return;
    event.preventDefault();
    const { step, goToFirst, goToLast } = store.getState();
    // The slider moves along its own axis, whatever the playing order.
    if (steps === -Infinity) goToFirst(order);
    else if (steps === Infinity) goToLast(order);
    else step(steps, order);
  }

  return (
    <div
      ref={track}
      className="timeline-track"
      role="slider"
      tabIndex={0}
      aria-label="Revision timeline"
      aria-orientation="horizontal"
      aria-valuemin={revisions[0]?.sequence ?? 0}
      aria-valuemax={revisions.at(-1)?.sequence ?? 0}
      aria-valuenow={wanted?.sequence ?? 0}
      aria-valuetext={valueText}
      aria-disabled={revisions.length === 0}
      onKeyDown={press}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        pointAt(event);
      }}
      onPointerMove={pointAt}
      onPointerLeave={() => {
        onPoint(undefined);
      }}
      onFocus={(event) => {
        onFocus(event.target.matches(":focus-visible"));
      }}
      onBlur={() => {
        onFocus(false);
      }}
    >
      {children}
    </div>
  );
}

/** The sequence, both times and the place among the versions of the window, for a screen reader. */
function useValueText(revision: Revision | undefined): string {
  const { time, delay } = usePublished(revision);
  const latest = useViewerState((state) => state.history.latestSequence);
  const revisions = useViewerState((state) => state.history.revisions);
  if (!revision) return "No frames";
  const { sequence, observedMs } = revision;
  const newest = sequence === latest ? ", newest" : "";
  const published = delay === undefined ? time : `${time}, ${delay}`;
  return `Revision ${sequence}${newest}; observed ${timeWithZone(observedMs)}, ${clockDay(observedMs)}; published ${published}${versionWords(revisions, revision)}`;
}

/** `; late correction of revision 15; replaced by revision 30`; empty for the only version of a window. */
function versionWords(revisions: readonly Revision[], revision: Revision): string {
  const publications = publicationsOf(revisions);
  const index = revisions.indexOf(revision);
  const publication = publications[index];
  const replacedBy = revisions[publications.findIndex(({ supersedes }) => supersedes === index)];
  const words: string[] = [];
  if (publication && publication.kind !== "new")
    words.push(publicationWords(publication, revision, revisions[publication.supersedes ?? -1]));
  if (replacedBy) words.push(`replaced by revision ${replacedBy.sequence}`);
  return words.map((part) => `; ${part}`).join("");
}

/** Turns the wheel into steps. Must prevent scrolling, which a listener of React cannot. */
function useWheelSteps(track: React.RefObject<HTMLDivElement | null>): void {
  const { store } = useViewer();
  useEffect(() => {
    const element = track.current;
    if (!element) return undefined;
    let turnedPx = 0;
    const turn = (event: WheelEvent): void => {
      event.preventDefault();
      turnedPx += event.deltaY + event.deltaX;
      const steps = Math.trunc(turnedPx / wheelStepPx);
      if (steps === 0) return;
      turnedPx -= steps * wheelStepPx;
      const { step, timelineOrder } = store.getState();
      step(Math.sign(steps), timelineOrder);
    };
    element.addEventListener("wheel", turn, { passive: false });
    return () => {
      element.removeEventListener("wheel", turn);
    };
  }, [store, track]);
}
