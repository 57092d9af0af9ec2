// The pair in words, with the choice of the other revision: the later of the two is the one on the map.
import type { ReactNode } from "react";
import { observationWindow } from "../../../shared/revisions/observation-window.ts";
import type { Revision } from "../../state/timeline/revisions.ts";
import { minuteWithZone } from "../../text/format.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";

interface CompareWithProps {
  readonly after: Revision;
  readonly before: Revision | undefined;
}

export function CompareWith({ after, before }: CompareWithProps): ReactNode {
  const { store } = useViewer();
  const revisions = useViewerState((state) => state.history.revisions);
  const others = revisions.filter((revision) => revision !== after);
  const isSame = ({ observedAt }: Revision): boolean =>
    observationWindow(observedAt) === observationWindow(after.observedAt);
  return (
    <label className="compare-with caption">
      Revision {after.sequence} against
      <select
        className="field select"
        aria-label="Compare with"
        value={before?.sequence ?? ""}
        onChange={(event) => {
          store.getState().compareWith(Number(event.target.value));
        }}
      >
        {!before && <option value="">Choose…</option>}
        <Group label="Same window" revisions={others.filter(isSame)} />
        <Group label="Other windows" revisions={others.filter((revision) => !isSame(revision))} />
      </select>
    </label>
  );
}

interface GroupProps {
  readonly label: string;
  readonly revisions: readonly Revision[];
}

function Group({ label, revisions }: GroupProps): ReactNode {
  if (revisions.length === 0) return null;
  return (
    <optgroup label={label}>
      {revisions.map(({ sequence, observedMs }) => (
        <option key={sequence} value={sequence}>
          {sequence} · {minuteWithZone(observedMs)}
        </option>
      ))}
    </optgroup>
  );
}
