// The clock and the units: which stands first. The other one stays beside it.
import type { ReactNode } from "react";
import { distanceUnits } from "../../../shared/geo/distance-words.ts";
import { clockHours, clockZones } from "../../state/settings/settings-slice.ts";
import { otherTime, timeWithZone } from "../../text/format.ts";
import { distanceWords, zoneWords } from "../../text/settings-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { CaptionedChoice } from "../controls/segmented.tsx";

const zones = clockZones.map((value) => ({ value, ...zoneWords[value] }));
const hours = clockHours.map((value) => ({ value, label: `${value} hours` }));
const distances = distanceUnits.map((value) => ({ value, ...distanceWords[value] }));
const hailUnits = [
  { value: "in", label: "in", hint: "Inches first" },
  { value: "mm", label: "mm", hint: "Millimeters first" },
] as const;

export function TimeSettings(): ReactNode {
  const { store } = useViewer();
  const zone = useViewerState((state) => state.clockZone);
  const clock = useViewerState((state) => state.clockHours);
  const hail = useViewerState((state) => state.hailUnits);
  const distance = useViewerState((state) => state.lengthUnit);
  const { setClockZone, setClockHours, setHailUnits, setLengthUnit } = store.getState();
  return (
    <section className="settings-section" aria-label="Times and units">
      <h3>Times and units</h3>
      <CaptionedChoice
        className="settings-row"
        caption="First clock"
        legend="First clock"
        options={zones}
        value={zone}
        onChange={setClockZone}
      />
      <CaptionedChoice
        className="settings-row"
        caption="A day has"
        legend="Hours of the clock"
        options={hours}
        value={clock}
        onChange={setClockHours}
      />
      <TimeExample />
      <CaptionedChoice
        className="settings-row"
        caption="Hail size"
        legend="Hail size in"
        options={hailUnits}
        value={hail}
        onChange={setHailUnits}
      />
      <CaptionedChoice
        className="settings-row"
        caption="Distances"
        legend="Distances in"
        options={distances}
        value={distance}
        onChange={setLengthUnit}
      />
      <p className="caption">Reflectivity is in dBZ. Files keep UTC and both units.</p>
    </section>
  );
}

function TimeExample(): ReactNode {
  const nowMs = useViewerState((state) => state.nowMs);
  const other = otherTime(nowMs);
  return (
    <p className="settings-example">
      <strong>{timeWithZone(nowMs)}</strong>
      {other !== undefined && <span className="quiet">{other}</span>}
    </p>
  );
}
