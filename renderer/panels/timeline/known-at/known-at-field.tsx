// A typed time for "As known at": the nearest publication at or before it.
import { useId, useState, type KeyboardEvent, type ReactNode } from "react";
import { utcClock } from "../../../text/format.ts";
import { parseTypedTime } from "../../../text/known-at-text.ts";
import { useViewer } from "../../../viewer-context.ts";
import { CloseIcon } from "../../controls/icons.tsx";
import type { TimelineHistory } from "../timeline-history.ts";
import { useKnownAt } from "./use-known-at.ts";

interface KnownAtFieldProps {
  readonly history: TimelineHistory;
  readonly onClose: () => void;
}

export function KnownAtField({ history, onClose }: KnownAtFieldProps): ReactNode {
  const { store } = useViewer();
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string>();
  const problemId = useId();
  const example = useKnownAt()?.publishedMs ?? history.publishedMs.findLast((ms) => ms !== undefined);

  function show(): void {
    const found = findTyped(typed, history);
    if (typeof found === "string") {
      setProblem(found);
      return;
    }
    store.getState().setKnownAt(found);
    onClose();
  }

  function press(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    event.preventDefault();
    onClose();
  }

  return (
    <form
      className="known-field"
      onSubmit={(event) => {
        event.preventDefault();
        show();
      }}
      onKeyDown={press}
    >
      <p className="known-problem bad" role="alert" id={problemId}>
        {problem}
      </p>
      <label>
        <span className="caption">Known at, UTC</span>
        <input
          className="field"
          aria-label="Known at, UTC"
          type="text"
          autoFocus
          placeholder={example === undefined ? "21:46:10" : utcClock(example)}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          aria-invalid={problem !== undefined}
          aria-describedby={problemId}
          onChange={(event) => {
            setTyped(event.target.value);
            setProblem(undefined);
          }}
        />
      </label>
      <button type="submit" className="button small">
        Show
      </button>
      <button
        type="button"
        className="icon-button tiny"
        aria-label="Cancel"
        title="Cancel (Esc)"
        onClick={onClose}
      >
        <CloseIcon />
      </button>
    </form>
  );
}

/** Returns the sequence of the newest publication up to the typed time, or what is wrong with the time. */
function findTyped(typed: string, { all, publishedMs }: TimelineHistory): number | string {
  const newestMs = publishedMs.findLast((ms) => ms !== undefined);
  if (newestMs === undefined) return "Publication times are not known yet";
  const instantMs = parseTypedTime(typed, newestMs);
  if (instantMs === undefined) return "Type a time like 21:46 or 21:46:10";
  const index = publishedMs.findLastIndex((ms) => ms !== undefined && ms <= instantMs);
  return all[index]?.sequence ?? "Nothing was published by then";
}
