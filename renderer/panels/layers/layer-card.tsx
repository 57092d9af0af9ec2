// One layer: its switch, legend with the probed value marked, what of it is hidden, threshold and opacity; its caveat
// behind a button.
import { useState, type ReactNode } from "react";
import { getProduct } from "../../../shared/products/registry.ts";
import { edgeWords, findLegendMark, toLegend } from "../../text/legend.ts";
import type { ProductId } from "../../../shared/contract/index.ts";
import { selectChangePair } from "../../state/change/change-pair.ts";
import type { ViewerState } from "../../state/store.ts";
import { selectDrawn, type LayerView } from "../../state/selectors.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { InfoIcon } from "../controls/icons.tsx";
import { LayerSlider } from "./layer-slider.tsx";
import { LegendStrip } from "./legend-strip.tsx";
import { OwnTableNote } from "./own-table-note.tsx";

export function LayerCard({ view }: { view: LayerView }): ReactNode {
  const { store } = useViewer();
  const { layer, delivered, visible, opacity, showFrom } = view;
  const [isExplained, setExplained] = useState(false);
  const palette = useViewerState((state) => state.palette);
  const ownTables = useViewerState((state) => state.ownTables);
  const theme = useViewerState((state) => state.theme);
  const hailUnits = useViewerState((state) => state.hailUnits);
  const reading = useViewerState((state) =>
    state.picture.probe?.readings.find((candidate) => candidate.id === layer.id),
  );
  const failed = useViewerState((state) => delivered && selectDrawn(state)?.failed.includes(layer.id));
  const entries = toLegend(layer, { palette, ownTables, theme, hailUnits, showFrom });
  const percent = Math.round(opacity * 100);
  // Turned on, and yet invisible.
  const invisible = visible && percent === 0 ? "Invisible" : undefined;
  const unchanged = useViewerState((state) => selectUnchanged(state, layer.id));
  const state = !delivered ? "Not received" : failed ? "Failed to load" : (invisible ?? unchanged);
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
      <OwnTableNote id={layer.id} />
      <HiddenNote view={view} />
      <div className="layer-sliders">
        <Threshold view={view} />
        <LayerSlider
          name={`Opacity of ${layer.label}`}
          words="Opacity"
          value={percent}
          valueWords={`${percent}%`}
          max={100}
          step={5}
          onChange={(value) => {
            store.getState().setLayerOpacity(layer.id, value / 100);
          }}
        />
      </div>
    </div>
  );
}

/** Says that a layer is the same in both revisions, while they are compared. */
function selectUnchanged(state: ViewerState, id: ProductId): string | undefined {
  const pair = state.isComparing ? selectChangePair(state) : undefined;
  const isSame = pair?.layers.some((layer) => layer.id === id && layer.kind === "unchanged");
  return pair && isSame ? `Unchanged in ${pair.after.sequence}` : undefined;
}

/** Chooses the first class that is drawn. The classes of another service's legend are unknown. */
function Threshold({ view: { layer, isOwn, showFrom } }: { view: LayerView }): ReactNode {
  const { store } = useViewer();
  const hailUnits = useViewerState((state) => state.hailUnits);
  if (!isOwn) return null;
  const product = getProduct(layer.id);
  const index = Math.max(
    0,
    product.stops.findIndex(({ from }) => from === showFrom),
  );
  return (
    <LayerSlider
      name={`Show ${layer.label} from`}
      words="Show from"
      value={index}
      valueWords={index === 0 ? "All" : edgeWords(product, index, hailUnits)}
      max={product.stops.length - 1}
      step={1}
      fill="above"
      onChange={(value) => {
        store.getState().setLayerShowFrom(layer.id, product.stops[value]!.from);
      }}
    />
  );
}

/** Says in one line what the map leaves out, and shows it on request. */
function HiddenNote({ view: { layer, showFrom, hiddenBy } }: { view: LayerView }): ReactNode {
  const { store } = useViewer();
  const hailUnits = useViewerState((state) => state.hailUnits);
  if (showFrom === undefined) return null;
  const product = getProduct(layer.id);
  const edge = product.stops.findIndex(({ from }) => from === showFrom);
  const reason = hiddenBy === "both-layers" ? " over reflectivity" : "";
  return (
    <p className="hidden-note caption">
      Below {edgeWords(product, edge, hailUnits)} hidden{reason}
      <button
        type="button"
        className="link"
        aria-label={`Show all of ${layer.label}`}
        onClick={() => {
          store.getState().setLayerShowFrom(layer.id, product.stops[0]!.from);
        }}
      >
        Show all
      </button>
    </p>
  );
}

/** Hail has two units, that of the legend first. */
function unitWords({ layer, isOwn }: LayerView, hailUnits: "in" | "mm"): string {
  if (layer.unit !== "mm" || !isOwn) return layer.unit;
  return hailUnits === "in" ? "in · mm" : "mm · in";
}
