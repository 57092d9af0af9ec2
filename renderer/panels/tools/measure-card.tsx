// The card of the tool "Measure": the length of the line in three units, its legs, and range rings.
import { useId, type ReactNode } from "react";
import { bearingDeg, distanceKm } from "../../../shared/geo/sphere.ts";
import {
  lengthUnits,
  ringSpacings,
  type LengthUnit,
  type Measuring,
  type RingsAround,
} from "../../state/tools/tools-slice.ts";
import { bearingWords, compassWords, lengthsWords, lengthWords, unitNames } from "../../text/tool-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { useOwnPlaces } from "./use-own-places.ts";
import { Segmented } from "../controls/segmented.tsx";

interface MeasureProps {
  readonly measuring: Measuring;
}

interface Leg {
  readonly km: number;
  readonly bearing: number;
}

export function MeasureCard({ measuring }: MeasureProps): ReactNode {
  const unit = useViewerState((state) => state.lengthUnit);
  const isTaking = useViewerState((state) => state.toolTaking === "measure");
  const { points } = measuring;
  const legs = points.slice(1).map((to, index): Leg => {
    const from = points[index]!;
    return { km: distanceKm(from, to), bearing: bearingDeg(from, to) };
  });
  return (
    <>
      <div role="status">{legs.length > 0 && <Total legs={legs} unit={unit} />}</div>
      {legs.length > 1 && <Legs legs={legs} unit={unit} />}
      {isTaking && (
        <p className="caption quiet">
          {points.length === 0
            ? "Click points on the map, or press Enter at the crosshair."
            : "Backspace takes a point back, Esc ends the line."}
        </p>
      )}
      <Rings measuring={measuring} unit={unit} />
    </>
  );
}

function Total({ legs, unit }: { readonly legs: readonly Leg[]; readonly unit: LengthUnit }): ReactNode {
  const [first, ...others] = lengthsWords(
    legs.reduce((sum, { km }) => sum + km, 0),
    unit,
  );
  const [only] = legs;
  return (
    <>
      <p className="tool-main">
        <strong>{first}</strong>
        {legs.length === 1 ? (
          <span>
            {bearingWords(only!.bearing)} {compassWords(only!.bearing)}
          </span>
        ) : (
          <span>in {legs.length} legs</span>
        )}
      </p>
      <p className="quiet">{others.join(" · ")}</p>
    </>
  );
}

function Legs({ legs, unit }: { readonly legs: readonly Leg[]; readonly unit: LengthUnit }): ReactNode {
  return (
    <ol className="tool-legs" aria-label="Legs of the line">
      {legs.map(({ km, bearing }, index) => (
        <li key={index}>
          <span>{lengthWords(km, unit)}</span>
          <span className="quiet">
            {bearingWords(bearing)} {compassWords(bearing)}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Rings({ measuring, unit }: MeasureProps & { readonly unit: LengthUnit }): ReactNode {
  const { store } = useViewer();
  const ringsId = useId();
  return (
    <div className="tool-rows">
      <div className="tool-row">
        <span className="caption">Unit</span>
        <Segmented
          legend="Unit of length"
          options={lengthUnits.map((value) => ({ value, label: value, name: unitNames[value] }))}
          value={unit}
          onChange={store.getState().setLengthUnit}
        />
      </div>
      <div className="tool-row">
        <label className="caption" htmlFor={ringsId}>
          Range rings
        </label>
        <select
          id={ringsId}
          className="field select"
          value={measuring.ringSpacing}
          onChange={(event) => {
            const ringSpacing = ringSpacings.find((spacing) => String(spacing) === event.target.value);
            store.getState().setRings({ ringSpacing: ringSpacing ?? 0 });
          }}
        >
          {ringSpacings.map((spacing) => (
            <option key={spacing} value={spacing}>
              {spacing === 0 ? "None" : `Every ${spacing} ${unit}`}
            </option>
          ))}
        </select>
      </div>
      {measuring.ringSpacing > 0 && <RingsCenter measuring={measuring} />}
    </div>
  );
}

function RingsCenter({ measuring: { ringsAround } }: MeasureProps): ReactNode {
  const { store } = useViewer();
  const centerId = useId();
  const places = useOwnPlaces();
  const options: readonly { readonly value: RingsAround; readonly label: string }[] = [
    { value: "point", label: "The first point" },
    { value: "pointer", label: "The pointer" },
    ...places.map((place) => ({ value: place, label: place.label })),
  ];
  return (
    <div className="tool-row">
      <label className="caption" htmlFor={centerId}>
        Rings around
      </label>
      <select
        id={centerId}
        className="field select"
        value={toKey(ringsAround)}
        onChange={(event) => {
          const chosen = options.find(({ value }) => toKey(value) === event.target.value);
          if (chosen) store.getState().setRings({ ringsAround: chosen.value });
        }}
      >
        {options.map(({ value, label }) => (
          <option key={toKey(value)} value={toKey(value)}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

function toKey(around: RingsAround): string {
  return typeof around === "string" ? around : around.coordinate.join();
}
