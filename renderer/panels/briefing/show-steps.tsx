// The row of steps along the lower edge of the projector, and the keys of the show, which fade after a while.
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Show } from "../../state/briefing/show.ts";
import { useViewer } from "../../viewer-context.ts";

/** Time until the hints on keys fade. */
const hintsMs = 8_000;

export function ShowSteps({ show: { steps, current } }: { readonly show: Show }): ReactNode {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({
      behavior: "instant",
      block: "nearest",
      inline: "center",
    });
  }, [current]);
  return (
    <ol ref={list} className="show-steps" aria-label="Steps">
      {steps.map(({ id, title }, index) => (
        <li key={id} aria-current={index === current ? "step" : undefined}>
          <span className="show-step-number">{index + 1}</span>
          <span className="show-step-title">{title}</span>
        </li>
      ))}
    </ol>
  );
}

export function KeyHints({ isFrozen }: { readonly isFrozen: boolean }): ReactNode {
  const { briefing } = useViewer();
  const [isFaded, setFaded] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setFaded(true);
    }, hintsMs);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  return (
    <div className="show-hints" data-faded={isFaded}>
      <p>
        <kbd>→</kbd> next
      </p>
      <p>
        <kbd>←</kbd> back
      </p>
      <p>
        <kbd>B</kbd> black
      </p>
      <p>
        <kbd>P</kbd> notes
      </p>
      <button
        type="button"
        aria-label="Freeze"
        aria-pressed={isFrozen}
        tabIndex={-1}
        onClick={() => {
          briefing.findProjector()?.command("freeze");
        }}
      >
        <kbd>F</kbd> {isFrozen ? "unfreeze" : "freeze"}
      </button>
      <p>
        <kbd>Esc</kbd> leave
      </p>
    </div>
  );
}
