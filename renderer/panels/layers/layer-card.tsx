// One layer: shown or not, how strongly, its legend with the probed value marked, its unit and its caveat.
import { useId, type ReactNode } from "react";
import { isOwnLegend, findLegendMark, toLegend } from "../../text/legend.ts";
import { selectDrawn, type LayerView } from "../../state/selectors.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { LegendStrip } from "./legend-strip.tsx";

export function LayerCard({ view }: { view: LayerView }): ReactNode {
  const { store } = useViewer();
  const { layer, delivered, visible, opacity } = view;
  const palette = useViewerState((state) => state.palette);
  const hailUnits = useViewerState((state) => state.hailUnits);
  const reading = useViewerState((state) =>
    state.picture.probe?.readings.find((candidate) => candidate.id === layer.id),
  );
  const failed = useViewerState((state) => selectDrawn(state)?.failed.includes(layer.id) ?? false);
  const nameId = useId();
  const entries = toLegend(layer, palette, hailUnits);
  const percent = Math.round(opacity * 100);
  // Switched on, and yet not to be seen.
  const isInvisible = visible && percent === 0;
  return (
    <div className="layer-card" data-visible={visible}>
      <label className="layer-head" title={layer.description}>
        <input
          type="checkbox"
          className="check"
          aria-label={layer.label}
          checked={visible}
          onChange={(event) => {
            store.getState().setLayerVisible(layer.id, event.target.checked);
          }}
        />
        <span className="layer-name" id={nameId}>
          {layer.label}
        </span>
        {!delivered && <span className="layer-absent">not delivered</span>}
        {delivered && failed && <span className="layer-absent bad">failed to load</span>}
        {delivered && !failed && isInvisible && <span className="layer-absent">opacity 0 %</span>}
        {delivered && !failed && !isInvisible && (
          <span className="quiet layer-unit">{unitWords(view, hailUnits)}</span>
        )}
      </label>
      <LegendStrip
        label={`${layer.label} legend`}
        entries={entries}
        mark={findLegendMark(entries, reading)}
      />
      <input
        type="range"
        className="range"
        aria-label={`Opacity of ${layer.label}`}
        aria-valuetext={`${percent} %`}
        title={`Opacity ${percent} %`}
        min={0}
        max={100}
        step={5}
        value={percent}
        style={{ "--fill": `${percent}%` }}
        onChange={(event) => {
          store.getState().setLayerOpacity(layer.id, Number(event.target.value) / 100);
        }}
      />
      <p className="caveat">{layer.caveat}</p>
    </div>
  );
}

/** Hail is told in both units, the one of the strip first. */
function unitWords({ layer }: LayerView, hailUnits: "in" | "mm"): string {
  if (layer.unit !== "mm" || !isOwnLegend(layer)) return layer.unit;
  return hailUnits === "in" ? "in · mm" : "mm · in";
}
