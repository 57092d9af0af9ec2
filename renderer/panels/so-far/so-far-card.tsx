// The largest values so far: their switch, legend and opacity, the windows they are made of and those missing, and the
// areas.
import { useState, type ReactNode } from "react";
import type { ProductId } from "../../../shared/contract/index.ts";
import { products } from "../../../shared/products/registry.ts";
import { selectComparison } from "../../state/change/change-scene.ts";
import { knownLayersOf } from "../../state/selectors.ts";
import { selectIsSoFarTooLong, selectWantedSoFar } from "../../state/so-far/so-far.ts";
import { toAudit, type MadeSoFar, type SoFarAudit } from "../../state/so-far/so-far-windows.ts";
import {
  missingTimes,
  nothingWords,
  soFarCaveats,
  soFarNames,
  spanWords,
  toAreaFacts,
  toMissingRuns,
  toSoFarLegend,
} from "../../text/so-far-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { Button } from "../controls/button.tsx";
import { Segmented, type SegmentOption } from "../controls/segmented.tsx";
import { LayerSlider } from "../layers/layer-slider.tsx";
import { LegendStrip } from "../layers/legend-strip.tsx";
import { useShortcut } from "../hooks/use-shortcut.ts";

const productOptions: Readonly<Record<ProductId, SegmentOption<ProductId>>> = {
  "mrms-mesh": { value: "mrms-mesh", label: "Hail", name: "Hail size so far" },
  "mrms-reflectivity": { value: "mrms-reflectivity", label: "Echo", name: "Reflectivity so far" },
};

export function SoFarCard(): ReactNode {
  const { store } = useViewer();
  const { after, aria } = useShortcut("so-far");
  const isOn = useViewerState((state) => state.isSoFarOn);
  const product = useViewerState((state) => state.soFarProduct);
  const known = useViewerState((state) => knownLayersOf(state.history.revisions).map(({ id }) => id));
  return (
    <div className="layer-card so-far-card" role="group" aria-label={soFarNames[product]}>
      <div className="layer-head">
        <label className="layer-switch" title={after(soFarNames[product])}>
          <input
            type="checkbox"
            className="check"
            checked={isOn}
            aria-describedby={isOn ? auditId : undefined}
            aria-keyshortcuts={aria}
            onChange={store.getState().toggleSoFar}
          />
          <span className="layer-name">{soFarNames[product]}</span>
        </label>
        {isOn && known.length > 1 && (
          <Segmented
            legend="Layer of the largest so far"
            options={products.filter(({ id }) => known.includes(id)).map(({ id }) => productOptions[id])}
            value={product}
            onChange={store.getState().setSoFarProduct}
          />
        )}
      </div>
      {isOn && <SoFarBody product={product} />}
    </div>
  );
}

const auditId = "so-far-windows";

function SoFarBody({ product }: { readonly product: ProductId }): ReactNode {
  const { store } = useViewer();
  const made = useViewerState(selectWantedSoFar);
  const opacity = useViewerState((state) => state.soFarOpacity);
  const hailUnits = useViewerState((state) => state.hailUnits);
  const isHidden = useViewerState((state) => selectComparison(state) !== undefined);
  const isTooLong = useViewerState(selectIsSoFarTooLong);
  const percent = Math.round(opacity * 100);
  return (
    <>
      <LegendStrip
        label={`${soFarNames[product]} legend`}
        entries={toSoFarLegend(product, hailUnits, made?.facts?.classes)}
        mark={undefined}
      />
      <div className="layer-sliders">
        <LayerSlider
          name={`Opacity of ${soFarNames[product]}`}
          words="Opacity"
          value={percent}
          valueWords={`${percent}%`}
          max={100}
          step={5}
          onChange={(value) => {
            store.getState().setSoFarOpacity(value / 100);
          }}
        />
      </div>
      {isHidden && <p className="so-far-none">Hidden while “What changed” is shown</p>}
      {made ? (
        <SoFarFacts made={made} />
      ) : (
        <p className="panel-note">
          {isTooLong
            ? "More windows than can be told one by one: shorten the loop"
            : "No frame of this layer yet"}
        </p>
      )}
      <p className="so-far-caveat caption">{soFarCaveats[product]}</p>
    </>
  );
}

function SoFarFacts({ made }: { readonly made: MadeSoFar }): ReactNode {
  const { soFar, facts, read } = made;
  const hailUnits = useViewerState((state) => state.hailUnits);
  const audit = toAudit(made);
  const { length: published } = soFar.frames;
  return (
    <>
      <dl className="so-far-facts" id={auditId} aria-busy={facts === undefined && published > 0}>
        <Fact name="Loop start to playhead" value={spanWords(soFar)} />
        {facts || published === 0 ? (
          <Fact name="Windows used" value={`${audit.used} of ${audit.windows}`} isStrong />
        ) : (
          <Fact name="Windows" value={`${read} of ${published} read`} isStrong />
        )}
        {audit.missing.length > 0 && <Missing audit={audit} />}
        {facts &&
          facts.classes.length > 0 &&
          toAreaFacts(soFar.product, facts.classes, hailUnits).map(({ label, value, other }) => (
            <Fact key={label} name={label} value={value} hint={other} />
          ))}
      </dl>
      {facts?.classes.length === 0 && (
        <p className="so-far-none">{nothingWords(soFar.product, audit.used, hailUnits)}</p>
      )}
    </>
  );
}

interface FactProps {
  readonly name: string;
  readonly value: string;
  readonly hint?: string;
  readonly isStrong?: boolean;
}

function Fact({ name, value, hint, isStrong }: FactProps): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={isStrong ? "strong" : undefined} title={hint}>
        {value}
      </dd>
    </div>
  );
}

/** The times that are missing; on request each with its cause. */
function Missing({ audit }: { readonly audit: SoFarAudit }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div>
        <dt>
          Missing
          <Button
            className="link"
            name="Show missing windows"
            isOpen={isOpen}
            onPress={() => {
              setOpen(!isOpen);
            }}
          >
            Show
          </Button>
        </dt>
        <dd>{missingTimes(audit.missing)}</dd>
      </div>
      {isOpen &&
        toMissingRuns(audit.missing).map(({ times, why }) => (
          <div key={times} className="so-far-missing">
            <dt>{times}</dt>
            <dd>{why}</dd>
          </div>
        ))}
    </>
  );
}
