// As of which publication a pane is known: the words, and a slider over its publications.
import { useId, useRef, useState, type ReactNode } from "react";
import { clockMinute } from "../../text/format.ts";
import { usePanes, useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { usePublished } from "../hooks/use-published.ts";

export function PaneKnownAt(): ReactNode {
  const { letter } = useViewer();
  const knownAt = useViewerState((state) => state.knownAt);
  const all = useViewerState((state) => state.history.all);
  const [isOpened, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  // A press in another pane puts it away.
  const isActive = usePanes(({ active }) => active === letter);
  const isOpen = isOpened && isActive;
  const words = useKnownWords(knownAt);

  if (all.length === 0) return null;
  return (
    <div
      className="pane-known"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        event.preventDefault();
        setOpen(false);
        box.current?.querySelector("button")?.focus();
      }}
    >
      <button
        type="button"
        className={knownAt === undefined ? "known-chip" : "known-chip past"}
        aria-expanded={isOpen}
        aria-label={`Pane ${letter}: ${words}`}
        title="Show the pane as it was known earlier"
        onClick={() => {
          setOpen(!isOpen);
        }}
      >
        {words}
      </button>
      {isOpen && <KnownAtSlider />}
    </div>
  );
}

/** `as known at 21:32`; the sequence until the time of publication is read. */
function useKnownWords(knownAt: number | undefined): string {
  const revision = useViewerState((state) =>
    knownAt === undefined ? undefined : state.history.all.findLast(({ sequence }) => sequence <= knownAt),
  );
  usePublished(revision);
  const published = useViewerState((state) =>
    revision?.revisionId === undefined ? undefined : state.publishedAt[revision.revisionId],
  );
  if (knownAt === undefined) return "as known now";
  if (typeof published !== "object") return `as known at revision ${knownAt}`;
  return `as known at ${clockMinute(Date.parse(published.at))}`;
}

function KnownAtSlider(): ReactNode {
  const { letter, store } = useViewer();
  const id = useId();
  const all = useViewerState((state) => state.history.all);
  const knownAt = useViewerState((state) => state.knownAt);
  const words = useKnownWords(knownAt);
  const first = all[0]!.sequence;
  const last = all.at(-1)!.sequence;
  const value = knownAt ?? last;
  const hidden = all.filter(({ sequence }) => sequence > value).length;

  /** Sequences may be missing: a step goes to the next one held. */
  function choose(wanted: number): void {
    const next =
      wanted > value
        ? all.find(({ sequence }) => sequence >= wanted)
        : all.findLast(({ sequence }) => sequence <= wanted);
    if (next) store.getState().setKnownAt(next.sequence);
  }

  return (
    <section className="pane-known-panel" aria-label={`As known at, pane ${letter}`}>
      <label htmlFor={id}>As known at</label>
      <input
        id={id}
        type="range"
        className="range"
        min={first}
        max={last}
        value={value}
        aria-valuenow={value}
        aria-valuetext={`${words}, sequence ${value} of ${last}, ${hidden} later revisions hidden`}
        style={{ "--fill": `${((value - first) / Math.max(1, last - first)) * 100}%` }}
        onChange={({ target }) => {
          choose(Number(target.value));
        }}
      />
      <p className="caption">
        sequence {value} of {last} · {hidden} later hidden
        {knownAt !== undefined && (
          <Button className="link" onPress={store.getState().backToNow}>
            Back to now
          </Button>
        )}
      </p>
    </section>
  );
}
