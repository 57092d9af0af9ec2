// The clock and the units: which stands first. The other one stays beside it.
import type { ReactNode } from "react";
import { distanceUnits } from "../../../shared/geo/distance-words.ts";
import { clockHours, clockZones } from "../../state/settings/settings-slice.ts";
import { otherTime, timeWithZone } from "../../text/format.ts";
import { distanceWords, zoneWords } from "../../text/settings-text.ts";
import { useViewerState } from "../../viewer-context.ts";
import { SettingRow } from "./setting-row.tsx";

const zones = clockZones.map((value) => ({ value, ...zoneWords[value] }));
const hours = clockHours.map((value) => ({ value, label: `${value} hours` }));
const distances = distanceUnits.map((value) => ({ value, ...distanceWords[value] }));
const hailUnits = [
  { value: "in", label: "in", hint: "Inches first" },
  { value: "mm", label: "mm", hint: "Millimeters first" },
] as const;

export function TimeSettings(): ReactNode {
  return (
    <section className="settings-section" aria-label="Times and units">
      <h3>Times and units</h3>
      <SettingRow
        caption="Time zone"
        legend="First clock"
        options={zones}
        select={(state) => [state.clockZone, state.setClockZone]}
      />
      <SettingRow
        caption="Clock"
        legend="Hours of the clock"
        options={hours}
        select={(state) => [state.clockHours, state.setClockHours]}
      />
      <TimeExample />
      <SettingRow
        caption="Hail size"
        legend="Hail size in"
        options={hailUnits}
        select={(state) => [state.hailUnits, state.setHailUnits]}
      />
      <SettingRow
        caption="Distances"
        legend="Distances in"
        options={distances}
        select={(state) => [state.lengthUnit, state.setLengthUnit]}
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
