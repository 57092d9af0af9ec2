// The card of the tool "Storm motion": what to click next, then the motion and the arrival at a place.
import { Suspense, use, type ReactNode } from "react";
import type { StormMotion } from "../../../shared/geo/storm-motion.ts";
import { toArrival } from "../../../shared/geo/storm-motion.ts";
import { findArrivalPlace, toMotionOf } from "../../state/tools/motion-line.ts";
import type { Motion } from "../../state/tools/tools-slice.ts";
import { minuteWithZone } from "../../text/format.ts";
import {
  arrivalWords,
  clicksWords,
  fanWords,
  ifItKeepsOn,
  motionWords,
  otherMotionWords,
  refusalWords,
  spokenMotion,
} from "../../text/tool-text.ts";
import { useViewer, useViewerState } from "../../viewer-context.ts";
import { readNamedPlacesOnce } from "../hooks/named-places.ts";
import { findTownsAhead } from "./towns-ahead.ts";
import { useOwnPlaces } from "./use-own-places.ts";

interface MotionProps {
  readonly motion: Motion;
}

export function MotionCard({ motion }: MotionProps): ReactNode {
  const line = toMotionOf(motion);
  return (
    <>
      <p className="unseen" role="status">
        {line && spokenMotion(line)}
      </p>
      {line ? <Line set={motion} line={line} /> : <NextClick motion={motion} />}
      {motion.refusal && (
        <p className="warning" role="alert">
          {refusalWords[motion.refusal]}
        </p>
      )}
    </>
  );
}

function NextClick({ motion: { positions } }: MotionProps): ReactNode {
  const [first] = positions;
  return (
    <p className="caption">
      {first
        ? `Clicked at ${minuteWithZone(first.observedMs)}. Step to another time (← →), then click the same storm there.`
        : "Click a storm on the map, or press Enter at the crosshair. Then step to another time and click it again."}
    </p>
  );
}

interface LineProps {
  readonly set: Motion;
  readonly line: StormMotion;
}

function Line({ set, line }: LineProps): ReactNode {
  return (
    <>
      <p className="tool-main">
        <strong>{motionWords(line)}</strong>
      </p>
      <p className="quiet">{otherMotionWords(line)}</p>
      <p className="quiet">{clicksWords(line)}</p>
      <div className="tool-arrival">
        <Suspense>
          <Arrival set={set} line={line} />
        </Suspense>
        <p className="quiet">{ifItKeepsOn}</p>
        <p className="caption quiet">{fanWords}</p>
      </div>
    </>
  );
}

/** Suspends until the places are read from the basemap's file. */
function Arrival({ set, line }: LineProps): ReactNode {
  const { store } = useViewer();
  const unit = useViewerState((state) => state.lengthUnit);
  const own = useOwnPlaces();
  const zoom = useViewerState((state) => state.view?.zoom ?? 0);
  const towns = findTownsAhead(line, use(readNamedPlacesOnce()), zoom);
  const places = [...own, ...towns, ...(set.arrivalAt ? [set.arrivalAt] : [])].filter(
    ({ coordinate }, index, all) =>
      all.findIndex((other) => other.coordinate.join() === coordinate.join()) === index,
  );
  const place = findArrivalPlace(line, set.arrivalAt, own) ?? towns[0] ?? own[0];
  if (!place) return <p className="quiet">No place ahead. Search one, or pin one (P).</p>;
  const { when, how } = arrivalWords(toArrival(line, place.coordinate), unit);
  return (
    <>
      <p className="tool-when">
        {when !== undefined && <strong>{when}</strong>}
        <span>near</span>
        <select
          className="field select"
          aria-label="Place of the arrival"
          value={place.coordinate.join()}
          onChange={(event) => {
            const chosen = places.find(({ coordinate }) => coordinate.join() === event.target.value);
            if (chosen) store.getState().setArrivalAt(chosen);
          }}
        >
          {places.map(({ label, coordinate }) => (
            <option key={coordinate.join()} value={coordinate.join()}>
              {label}
            </option>
          ))}
        </select>
      </p>
      <p>{how}</p>
    </>
  );
}
