// The marks of the tools on the map, with their words: measured lines, range rings, a storm's motion, and the way from
// the chosen report to the estimate that its card names.
import type { Coordinate } from "../../shared/contract/index.ts";
import { bearingDeg, destination, distanceKm, greatCircle } from "../../shared/geo/sphere.ts";
import { toFan, toPositionAhead, type StormMotion } from "../../shared/geo/storm-motion.ts";
import { noMarks, type ToolMarks } from "../map/tools/tool-drawing.ts";
import { selectChosenVerified } from "../state/reports/report-frames.ts";
import { memoizeSelector } from "../state/selectors.ts";
import type { ViewerState } from "../state/store.ts";
import {
  findArrivalPlace,
  selectMotion,
  toLineMs,
  toMotionOf,
  toOwnPlaces,
} from "../state/tools/motion-line.ts";
import type { LengthUnit, Measuring } from "../state/tools/tools-slice.ts";
import { clockMinute } from "./format.ts";
import { bearingWords, kmPerUnit, lengthWords } from "./tool-text.ts";

const ringCount = 4;
const ringPoints = 120;
const tickMs = 10 * 60_000;

/** Returns a selector of everything that the tools draw. */
export function createToolMarksSelector(): (state: ViewerState) => ToolMarks {
  return memoizeSelector(
    (state) => [
      ...[state.toolTaking, state.measuring, selectMotion(state), state.lengthUnit],
      ...[state.chosenPlace, state.pins, pointerOf(state)?.join(), state.clockZone, state.clockHours],
      selectChosenVerified(state),
    ],
    (state) => {
      const parts = [
        ...measuredMarks(state),
        ...ringMarks(state),
        ...motionMarks(state),
        ...reportMarks(state),
      ];
      return parts.reduce<ToolMarks>(joinMarks, noMarks);
    },
  );
}

function joinMarks(all: ToolMarks, part: Partial<ToolMarks>): ToolMarks {
  return {
    lines: [...all.lines, ...(part.lines ?? [])],
    fan: part.fan ?? all.fan,
    ticks: [...all.ticks, ...(part.ticks ?? [])],
    labels: [...all.labels, ...(part.labels ?? [])],
    points: [...all.points, ...(part.points ?? [])],
    cells: [...all.cells, ...(part.cells ?? [])],
  };
}

/** Returns the pointer while something follows it. */
function pointerOf({ toolTaking, measuring, picture }: ViewerState): Coordinate | undefined {
  const hasRings = measuring?.ringsAround === "pointer" && measuring.ringSpacing > 0;
  const hasLine = toolTaking === "measure" && measuring && measuring.points.length > 0;
  return hasRings || hasLine ? picture.probe?.pointer.coordinate : undefined;
}

/** Draws each leg with its length and direction; while points are taken, the next one up to the pointer. */
function measuredMarks(state: ViewerState): Partial<ToolMarks>[] {
  const { measuring, toolTaking, lengthUnit } = state;
  if (!measuring) return [];
  const { points } = measuring;
  const pointer = toolTaking === "measure" && points.length > 0 ? pointerOf(state) : undefined;
  const legs = points.slice(1).map((to, index) => toLeg(points[index]!, to, lengthUnit, "set"));
  const next = pointer ? [toLeg(points.at(-1)!, pointer, lengthUnit, "ahead")] : [];
  return [{ points }, ...legs, ...next];
}

function toLeg(
  from: Coordinate,
  to: Coordinate,
  unit: LengthUnit,
  kind: "set" | "ahead",
): Partial<ToolMarks> {
  const [km, bearing] = [distanceKm(from, to), bearingDeg(from, to)];
  const words = `${lengthWords(km, unit)} · ${bearingWords(bearing)}`;
  return {
    lines: [{ kind, points: greatCircle(from, to) }],
    labels: km > 0 ? [{ at: destination(from, bearing, km / 2), words }] : [],
  };
}

function ringMarks(state: ViewerState): Partial<ToolMarks>[] {
  const { measuring, lengthUnit } = state;
  const center = measuring && findRingsCenter(measuring, pointerOf(state));
  if (!measuring || !center) return [];
  return Array.from({ length: ringCount }, (_, index) => {
    const count = (index + 1) * measuring.ringSpacing;
    const km = count * kmPerUnit[lengthUnit];
    const points = Array.from({ length: ringPoints + 1 }, (_step, step) =>
      destination(center, (360 * step) / ringPoints, km),
    );
    return {
      lines: [{ kind: "ring" as const, points }],
      labels: [{ at: points[0]!, words: `${count} ${lengthUnit}` }],
    };
  });
}

function findRingsCenter(
  { points, ringSpacing, ringsAround }: Measuring,
  pointer: Coordinate | undefined,
): Coordinate | undefined {
  if (ringSpacing === 0) return undefined;
  if (ringsAround === "pointer") return pointer;
  return ringsAround === "point" ? points[0] : ringsAround.coordinate;
}

function motionMarks(state: ViewerState): Partial<ToolMarks>[] {
  const set = selectMotion(state);
  if (!set) return [];
  const points = set.positions.map(({ coordinate }) => [...coordinate] as const);
  const motion = toMotionOf(set);
  if (!motion) return [{ points }];
  const place = findArrivalPlace(motion, set.arrivalAt, toOwnPlaces(state));
  return [{ points, ...toMotionMarks(motion, toLineMs(motion, place)) }];
}

/** Ticks stand at whole ten minutes of the clock, so that no time is rounded. */
function toMotionMarks(motion: StormMotion, lineMs: number): Partial<ToolMarks> {
  const { first, last } = motion;
  const firstTickMs = (Math.floor(last.observedMs / tickMs) + 1) * tickMs;
  const count = Math.max(0, Math.floor((last.observedMs + lineMs - firstTickMs) / tickMs) + 1);
  const end = toPositionAhead(motion, lineMs);
  return {
    lines: [
      { kind: "set", points: greatCircle(first.coordinate, last.coordinate) },
      { kind: "ahead", points: greatCircle(last.coordinate, end) },
    ],
    fan: toFan(motion, lineMs),
    ticks: Array.from({ length: count }, (_, index) => {
      const tickAtMs = firstTickMs + index * tickMs;
      const at = toPositionAhead(motion, tickAtMs - last.observedMs);
      return { at, bearing: (bearingDeg(at, last.coordinate) + 180) % 360, words: clockMinute(tickAtMs) };
    }),
  };
}

function reportMarks(state: ViewerState): Partial<ToolMarks>[] {
  const verified = selectChosenVerified(state);
  const found = verified && (verified.ofSize ?? verified.nearest.at(-1));
  if (!found) return [];
  const points = greatCircle(verified.report.coordinate, found.center);
  return [{ lines: [{ kind: "link", points }], cells: [found.center] }];
}
