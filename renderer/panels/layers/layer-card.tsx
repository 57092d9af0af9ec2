// One layer: its switch, opacity, legend with the probed value marked and unit; its caveat behind a button.
import { useState, type ReactNode } from "react";
import { isOwnLegend, findLegendMark, toLegend } from "../../text/legend.ts";
import { selectDrawn, type LayerView } from "../../state/selectors.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { InfoIcon } from "../controls/icons.tsx";
import { LegendStrip } from "./legend-strip.tsx";

export function LayerCard({ view }: { view: LayerView }): ReactNode {
  const { store } = useViewer();
  const { layer, delivered, visible, opacity } = view;
  const [isExplained, setExplained] = useState(false);
  const palette = useViewerState((state) => state.palette);
  const hailUnits = useViewerState((state) => state.hailUnits);
  const reading = useViewerState((state) =>
    state.picture.probe?.readings.find((candidate) => candidate.id === layer.id),
  );
  const failed = useViewerState((state) => delivered && selectDrawn(state)?.failed.includes(layer.id));
  const entries = toLegend(layer, palette, hailUnits);
  const percent = Math.round(opacity * 100);
  // Turned on, and yet invisible.
  const invisible = visible && percent === 0 ? "Opacity 0%" : undefined;
  const state = !delivered ? "Not received" : failed ? "Failed to load" : invisible;
  return (
    <div className="layer-card" data-visible={visible}>
      <div className="layer-head">
        <label className="layer-switch" title={layer.description}>
          <input
            type="checkbox"
            className="check"
            aria-label={layer.label}
            checked={visible}
            onChange={(event) => {
              store.getState().setLayerVisible(layer.id, event.target.checked);
            }}
          />
          <span className="layer-name">{layer.label}</span>
          {state === undefined ? (
            <span className="quiet layer-unit">{unitWords(view, hailUnits)}</span>
          ) : (
            <span className={failed ? "layer-absent bad" : "layer-absent"}>{state}</span>
          )}
        </label>
        <Button
          className="icon-button tiny"
          name={`About ${layer.label}`}
          isOpen={isExplained}
          onPress={() => {
            setExplained(!isExplained);
          }}
        >
          <InfoIcon />
        </Button>
      </div>
      {isExplained && <p className="caveat">{layer.caveat}</p>}
      <LegendStrip
        label={`${layer.label} legend`}
        entries={entries}
        mark={findLegendMark(entries, reading)}
      />
      <input
        type="range"
        className="range"
        aria-label={`Opacity of ${layer.label}`}
        aria-valuetext={`${percent}%`}
        title={`Opacity ${percent}%`}
        min={0}
        max={100}
        step={5}
        value={percent}
        style={{ "--fill": `${percent}%` }}
        onChange={(event) => {
          store.getState().setLayerOpacity(layer.id, Number(event.target.value) / 100);
        }}
      />
    </div>
  );
}

/** Hail has two units, that of the legend first. */
function unitWords({ layer }: LayerView, hailUnits: "in" | "mm"): string {
  if (layer.unit !== "mm" || !isOwnLegend(layer)) return layer.unit;
  return hailUnits === "in" ? "in · mm" : "mm · in";
}
