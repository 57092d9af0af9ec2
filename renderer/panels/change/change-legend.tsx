// The legend of a difference: three steps down and up, and the choice of small changes to hide.
import type { ReactNode } from "react";
import type { MrmsLayer } from "../../../shared/contract/index.ts";
import { changeColors } from "../../../shared/products/change-colors.ts";
import { thresholdLabels, toChangeLegend, unitWords } from "../../text/change-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Segmented } from "../controls/segmented.tsx";

export function ChangeLegend({ layer: { id, unit } }: { readonly layer: MrmsLayer }): ReactNode {
  const { store } = useViewer();
  const hailUnits = useViewerState((state) => state.hailUnits);
  const threshold = useViewerState((state) => state.changeThresholds[id] ?? 0);
  const labels = thresholdLabels(unit, hailUnits);
  const wanted = unitWords(unit, hailUnits);
  return (
    <>
      <ChangeSteps unit={unit} />
      <div className="change-row caption">
        <span className="quiet">Hide changes under</span>
        <Segmented
          legend="Hide changes under"
          options={labels.map((label, value) => ({ value, label, name: `${label} ${wanted}` }))}
          value={threshold}
          onChange={(index) => {
            store.getState().setChangeThreshold(id, index);
          }}
        />
        <span className="quiet">{wanted}</span>
      </div>
    </>
  );
}

/** The colors of a difference, from lower to higher. */
export function ChangeSteps({ unit }: Pick<MrmsLayer, "unit">): ReactNode {
  const hailUnits = useViewerState((state) => state.hailUnits);
  const steps = toChangeLegend(unit, hailUnits);
  return (
    <ol className="change-legend" aria-label="What changed legend">
      {(["down", "up"] as const).flatMap((side) =>
        (side === "down" ? steps.toReversed() : steps).map(({ step, label, name }) => (
          <li key={`${side} ${step}`} data-step={step} data-side={side}>
            <span className="change-color" style={{ backgroundColor: changeColors[side][step] }}>
              {step === 2 && (side === "down" ? "lower" : "higher")}
            </span>
            <span aria-hidden="true">{label}</span>
            <span className="unseen">{`${side === "down" ? "lower" : "higher"} by ${name}`}</span>
          </li>
        )),
      )}
    </ol>
  );
}
