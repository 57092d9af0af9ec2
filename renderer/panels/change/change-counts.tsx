// The cells that changed, counted in the map's area and in all, and the biggest rise.
import type { ReactNode } from "react";
import type { BiggestRise, CellChanges, Difference } from "../../../shared/analysis/difference.ts";
import { changeColors } from "../../../shared/products/change-colors.ts";
import type { ChangePair } from "../../state/change/change-pair.ts";
import { selectMeasuredKey } from "../../state/change/change-session.ts";
import { riseWords, thresholdLabels, unitWords } from "../../text/change-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";

const rows: readonly (readonly [kind: keyof CellChanges, name: string, color: string])[] = [
  ["up", "Up", changeColors.up[1]],
  ["down", "Down", changeColors.down[1]],
  ["appeared", "Appeared", changeColors.up[1]],
  ["vanished", "Vanished", changeColors.down[1]],
];

/** The colors of the marks that need two. */
const markColors = {
  "--up": changeColors.up[1],
  "--up-accent": changeColors.up[2],
  "--down": changeColors.down[1],
  "--down-dark": changeColors.down[0],
  "--down-accent": changeColors.down[2],
};

/** Closest zoom that shows the biggest rise. */
const riseZoom = 9;

export function ChangeCounts({ pair }: { readonly pair: ChangePair }): ReactNode {
  const key = useViewerState(selectMeasuredKey);
  const newest = useViewerState((state) => state.measuredChange);
  const measured = newest?.key === key ? newest : undefined;
  if (measured && "why" in measured) {
    const words = measured.status === "incomparable" ? "These two cannot be compared cell by cell." : "";
    return <p className="caption warning">{`${words} ${measured.why}`.trim()}</p>;
  }
  return (
    <>
      <CountTable pair={pair} inView={measured?.inView} inAll={measured?.inAll} />
      {measured && <Outcome pair={pair} inAll={measured.inAll} />}
    </>
  );
}

interface CountTableProps {
  readonly pair: ChangePair;
  /** Undefined while they are counted. */
  readonly inView: Difference | undefined;
  readonly inAll: Difference | undefined;
}

function CountTable({ pair, inView, inAll }: CountTableProps): ReactNode {
  const kept = useKeptWords(pair);
  const most = inView ? Math.max(1, ...rows.map(([kind]) => inView.cells[kind])) : 1;
  const isAll = !inView || !inAll || isSameCounts(inView, inAll);
  const row = { inView, inAll: isAll ? undefined : inAll };
  return (
    <table className="change-table" aria-label="Cells in this view" style={markColors}>
      <thead>
        <tr>
          <th scope="col">{isAll ? "Cells in this view" : "Cells"}</th>
          <th scope="col">{isAll ? <span className="unseen">in view</span> : "in view"}</th>
          {!isAll && <th scope="col">in all</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(([kind, name, color]) => (
          <tr key={kind}>
            <th scope="row">
              <span className={`change-color change-${kind}`} aria-hidden="true" />
              {name}
              <span className="change-bar" aria-hidden="true">
                <span
                  className="change-color"
                  style={{
                    width: `${((inView?.cells[kind] ?? 0) / most) * 100}%`,
                    backgroundColor: color,
                  }}
                />
              </span>
            </th>
            <Counts {...row} count={({ cells }) => cells[kind]} />
          </tr>
        ))}
        <tr className="quiet">
          <th scope="row">{kept}</th>
          <Counts {...row} count={(difference) => difference.kept} />
        </tr>
        {inAll !== undefined && inAll.uncovered > 0 && (
          <tr className="quiet">
            <th scope="row">Coverage changed</th>
            <Counts {...row} count={({ uncovered }) => uncovered} />
          </tr>
        )}
      </tbody>
    </table>
  );
}

interface CountsProps {
  readonly inView: Difference | undefined;
  /** Undefined if it is the same. */
  readonly inAll: Difference | undefined;
  readonly count: (difference: Difference) => number;
}

function Counts({ inView, inAll, count }: CountsProps): ReactNode {
  return (
    <>
      <td>{inView ? thousands(count(inView)) : "…"}</td>
      {inAll && <td className="quiet">{thousands(count(inAll))}</td>}
    </>
  );
}

function thousands(count: number): string {
  return count.toLocaleString("en-US");
}

function isSameCounts(first: Difference, second: Difference): boolean {
  const isSame = rows.every(([kind]) => first.cells[kind] === second.cells[kind]);
  return isSame && first.kept === second.kept && first.uncovered === second.uncovered;
}

/** The cells that count as no change, which depends on the threshold. */
function useKeptWords({ shown }: ChangePair): string {
  const hailUnits = useViewerState((state) => state.hailUnits);
  const index = useViewerState((state) => state.changeThresholds[shown.id] ?? 0);
  if (index === 0) return "No change";
  const { unit } = shown.after!;
  return `Under ${thresholdLabels(unit, hailUnits)[index]!} ${unitWords(unit, hailUnits)}, or no change`;
}

interface OutcomeProps {
  readonly pair: ChangePair;
  readonly inAll: Difference;
}

function Outcome({ pair, inAll }: OutcomeProps): ReactNode {
  const isChanged = rows.some(([kind]) => inAll.cells[kind] > 0);
  if (inAll.biggestRise) return <Rise rise={inAll.biggestRise} unit={pair.shown.after!.unit} />;
  return <p className="caption">{isChanged ? "No cell rose" : "No cell changed"}</p>;
}

function Rise({ rise, unit }: { readonly rise: BiggestRise; readonly unit: string }): ReactNode {
  const { map, store } = useViewer();
  const hailUnits = useViewerState((state) => state.hailUnits);
  return (
    <p className="change-rise caption">
      <span>
        Biggest rise <strong>{riseWords(rise, unit, hailUnits)}</strong>
      </span>
      <Button
        className="link"
        name="Show the biggest rise"
        onPress={() => {
          const zoom = Math.max(store.getState().view?.zoom ?? 0, riseZoom);
          map.find()?.flyTo(rise.coordinate, zoom);
          store.getState().pinReading(rise.coordinate);
        }}
      >
        Show
      </Button>
    </p>
  );
}
