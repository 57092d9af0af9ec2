// The timeline of the panes: a row for each on the axis of the lock, one cursor through all, and what the lock goes by.
import { useMemo, type ReactNode } from "react";
import { onsetRules } from "../../state/panes/onset.ts";
import { onsetWindowOf, selectVisiblePanes } from "../../state/panes/pane-store.ts";
import { selectShownRevision } from "../../state/selectors.ts";
import { clockZoneName } from "../../text/format.ts";
import { missingWords, onsetRuleWords, onsetWords } from "../../text/pane-text.ts";
import {
  toPaneViewer,
  usePanes,
  useViewer,
  useViewerState,
  ViewerContext,
  type Viewer,
} from "../../viewer-context.ts";
import { useWidth } from "../timeline/use-width.ts";
import { toPaneAxis, toTicks, middlePx, type PaneAxis } from "./pane-axis.ts";
import { PaneRow } from "./pane-row.tsx";
import { useFromPanes, usePaneFacts } from "./use-from-panes.ts";
import { useTimeLabelPx } from "../hooks/use-clock.ts";
import { useShortcut } from "../hooks/use-shortcut.ts";

/** Room for a label of the axis. */
const labelPx = 52;

export function PaneRows({ main }: { readonly main: Viewer }): ReactNode {
  const panes = usePanes(selectVisiblePanes);
  const lock = usePanes((state) => state.lock);
  const active = usePanes((state) => state.active);
  const onsets = usePanes((state) => state.onsets);
  const lists = useFromPanes(({ store }) => store.getState().history.revisions);
  const { ref: plot, widthPx } = useWidth();
  const axis = useMemo(
    () =>
      toPaneAxis(
        lock,
        panes.map(({ letter }, index) => ({
          revisions: lists[index] ?? [],
          onset: onsetWindowOf({ onsets }, letter),
          isActive: letter === active,
        })),
      ),
    [lock, panes, lists, onsets, active],
  );
  return (
    <div className="pane-rows" data-lock={lock} data-rows={panes.length}>
      <RowsHead />
      {panes.map((pane, index) => (
        <ViewerContext key={pane.letter} value={toPaneViewer(main, pane)}>
          <PaneRow row={axis.rows[index]!} widthPx={widthPx} plot={index === 0 ? plot : undefined} />
        </ViewerContext>
      ))}
      <Axis axis={axis} widthPx={widthPx} />
    </div>
  );
}

/** By what the onset is marked, and why a pane shows nothing. */
function RowsHead(): ReactNode {
  const { panes } = useViewer();
  const lock = usePanes((state) => state.lock);
  const rule = usePanes((state) => state.onsetRule);
  const { after } = useShortcut("pane-count");
  const facts = usePaneFacts();
  const hasPins = useViewerState((state) => state.pins.length > 0);
  const missing = facts.flatMap((pane) => missingWords(pane, lock) ?? []);
  return (
    <div className="pane-rows-head caption">
      {lock === "onset" && (
        <>
          <label>
            Onset:{" "}
            <select
              className="field select"
              aria-label="Onset"
              value={rule}
              onChange={({ target }) => {
                const chosen = onsetRules.find((candidate) => candidate === target.value);
                if (chosen) panes.store.setState({ onsetRule: chosen });
              }}
            >
              {onsetRules.map((id) => (
                <option key={id} value={id}>
                  {onsetRuleWords[id]}
                </option>
              ))}
            </select>
          </label>
          <span className="pane-onsets">
            {facts.map(({ letter, onset }) => onsetWords(letter, onset)).join(" · ")}
          </span>
        </>
      )}
      {/* Its columns are those of the timeline of one storm. */}
      {hasPins && <span className="quiet">{after("Pinned places: their story opens in one pane")}</span>}
      <span className="pane-missing">{[...new Set(missing)].join(" · ")}</span>
    </div>
  );
}

function Axis({ axis, widthPx }: { readonly axis: PaneAxis; readonly widthPx: number }): ReactNode {
  const lock = usePanes((state) => state.lock);
  const tickPx = useTimeLabelPx(labelPx);
  const observedMs = useViewerState((state) => selectShownRevision(state)?.observedMs);
  const names = {
    observed: observedMs === undefined ? "" : clockZoneName(observedMs),
    sequence: "Revision",
    onset: "Minutes",
    off: "",
  } as const;
  return (
    <div className="pane-axis caption" aria-hidden="true">
      <span>{names[lock]}</span>
      <div className="pane-ticks">
        {toTicks(lock, axis, widthPx, tickPx).map(({ at, label }) => (
          <span key={at} style={{ left: middlePx(axis, at, widthPx) }}>
            {label}
          </span>
        ))}
      </div>
    </div>
  );
}
