// Does the person measure, or carry a storm's motion on, and how does the cursor read its place?
import type { StateCreator } from "zustand";
import type { Coordinate } from "../../../shared/contract/index.ts";
import { distanceKm } from "../../../shared/geo/sphere.ts";
import { toStormMotion, type StormPosition } from "../../../shared/geo/storm-motion.ts";
import type { PlacePin } from "../slices/story-slice.ts";

export type Tool = "measure" | "motion";

export const lengthUnits = ["nmi", "mi", "km"] as const;
export type LengthUnit = (typeof lengthUnits)[number];

/** Degrees with decimals, with minutes and seconds, or with decimal minutes. */
export const cursorNotations = ["decimal", "dms", "ddm"] as const;
export type CursorNotation = (typeof cursorNotations)[number];

/** Between two range rings, in the chosen unit; 0 for none. */
export const ringSpacings = [0, 5, 10, 25, 50] as const;
export type RingSpacing = (typeof ringSpacings)[number];
/** Rings around the pointer, the first point set, or a place. */
export type RingsAround = "pointer" | "point" | PlacePin;

export interface Measuring {
  readonly points: readonly Coordinate[];
  readonly ringSpacing: RingSpacing;
  readonly ringsAround: RingsAround;
}

/** Reason why a click gave no position: one time twice, or a point closer than a cell. */
export type MotionRefusal = "same-time" | "too-close" | "no-picture";

export interface Motion {
  /** Its event; over another one it is not shown. */
  readonly eventId: string;
  /** None, one, or both, in the order in which they were set. */
  readonly positions: readonly StormPosition[];
  readonly refusal: MotionRefusal | undefined;
  /** Place that the person chose for the arrival. */
  readonly arrivalAt: PlacePin | undefined;
}

/** A point set on the map, and the picture on which it was set. */
export interface ToolPoint {
  readonly coordinate: Coordinate;
  readonly observedMs: number | undefined;
}

export interface ToolsSlice {
  /** The tool that takes the next click on the map. */
  readonly toolTaking: Tool | undefined;
  readonly measuring: Measuring | undefined;
  readonly motion: Motion | undefined;
  readonly lengthUnit: LengthUnit;
  readonly cursorNotation: CursorNotation;
  /** Starts a tool for an event, or closes it. */
  readonly toggleTool: (tool: Tool, eventId: string | undefined) => void;
  /** Clears what a tool has and takes points again. */
  readonly restartTool: (tool: Tool, eventId: string | undefined) => void;
  readonly closeTool: (tool: Tool) => void;
  readonly addToolPoint: (point: ToolPoint) => void;
  readonly takeBackToolPoint: () => void;
  /** Stops taking points; closes the tool if it has too few. */
  readonly endTool: () => void;
  readonly setRings: (rings: Partial<Pick<Measuring, "ringSpacing" | "ringsAround">>) => void;
  readonly setArrivalAt: (place: PlacePin) => void;
  readonly setLengthUnit: (unit: LengthUnit) => void;
  readonly setCursorNotation: (notation: CursorNotation) => void;
}

/** A measured line has at most this many points. */
const mostPoints = 50;
/** Points closer than this are one: the second click of a double click. */
const samePointKm = 0.02;
const noPoints: Measuring = { points: [], ringSpacing: 0, ringsAround: "point" };

export const createToolsSlice: StateCreator<ToolsSlice, [], [], ToolsSlice> = (set, get) => ({
  toolTaking: undefined,
  measuring: undefined,
  motion: undefined,
  lengthUnit: "mi",
  cursorNotation: "decimal",

  toggleTool: (tool, eventId) => {
    const { measuring, motion, closeTool, restartTool } = get();
    const isOpen = tool === "measure" ? measuring !== undefined : motion?.eventId === eventId;
    if (isOpen) closeTool(tool);
    else restartTool(tool, eventId);
  },

  restartTool: (tool, eventId) => {
    get().endTool();
    if (tool === "measure") {
      set(({ measuring }) => ({ toolTaking: tool, measuring: { ...noPoints, ...measuring, points: [] } }));
    } else if (eventId !== undefined) {
      set({
        toolTaking: tool,
        motion: { eventId, positions: [], refusal: undefined, arrivalAt: undefined },
      });
    }
  },

  closeTool: (tool) => {
    if (get().toolTaking === tool) set({ toolTaking: undefined });
    set(tool === "measure" ? { measuring: undefined } : { motion: undefined });
  },

  addToolPoint: ({ coordinate, observedMs }) => {
    const { toolTaking, measuring, motion } = get();
    if (toolTaking === "measure" && measuring) {
      const last = measuring.points.at(-1);
      if (last && distanceKm(last, coordinate) < samePointKm) return;
      if (measuring.points.length === mostPoints) return;
      set({ measuring: { ...measuring, points: [...measuring.points, coordinate] } });
    } else if (toolTaking === "motion" && motion) {
      const next = addPosition(motion, coordinate, observedMs);
      set({ motion: next, toolTaking: next.positions.length === 2 ? undefined : toolTaking });
    }
  },

  takeBackToolPoint: () => {
    const { toolTaking, measuring, motion } = get();
    if (toolTaking === "measure" && measuring) {
      set({ measuring: { ...measuring, points: measuring.points.slice(0, -1) } });
    } else if (toolTaking === "motion" && motion) {
      set({ motion: { ...motion, positions: motion.positions.slice(0, -1), refusal: undefined } });
    }
  },

  endTool: () => {
    const { toolTaking, measuring, motion } = get();
    if (toolTaking === undefined) return;
    const hasEnough =
      toolTaking === "measure"
        ? measuring && (measuring.points.length > 1 || measuring.ringSpacing > 0)
        : motion?.positions.length === 2;
    if (hasEnough) set({ toolTaking: undefined });
    else get().closeTool(toolTaking);
  },

  setRings: (rings) => {
    set(({ measuring }) => ({ measuring: measuring && { ...measuring, ...rings } }));
  },

  setArrivalAt: (arrivalAt) => {
    set(({ motion }) => ({ motion: motion && { ...motion, arrivalAt } }));
  },

  setLengthUnit: (lengthUnit) => {
    set({ lengthUnit });
  },

  setCursorNotation: (cursorNotation) => {
    set({ cursorNotation });
  },
});

function addPosition(motion: Motion, coordinate: Coordinate, observedMs: number | undefined): Motion {
  if (observedMs === undefined) return { ...motion, refusal: "no-picture" };
  const next = { coordinate, observedMs };
  const [first] = motion.positions;
  if (first?.observedMs === observedMs) return { ...motion, refusal: "same-time" };
  if (first && !toStormMotion(first, next)) return { ...motion, refusal: "too-close" };
  return { ...motion, refusal: undefined, positions: [...motion.positions, next] };
}
