// The show on the projector as a pure state: the step on screen, the one being read, what is asked, and at which
// sequences the picture is frozen.
import type { BriefingStep } from "../../../shared/views/briefing-steps.ts";
import type { ViewDifference } from "../../../shared/views/view-differences.ts";

/** The highest sequence shown of each event; undefined while the picture follows the newest. */
export type Frozen = Readonly<Record<string, number>> | undefined;

export interface Show {
  /** The steps when the show began. */
  readonly steps: readonly BriefingStep[];
  /** Index of the step on the projector. */
  readonly current: number;
  /** Index of the step that will be on the projector once its frames are read. */
  readonly wanted: number;
  readonly frozen: Frozen;
  readonly black: boolean;
  /** The question on the projector, which the same key answers and every other key takes back. */
  readonly asking: "leave" | "unfreeze" | undefined;
  /** Differences between the picture and the recorded step. */
  readonly differences: readonly ViewDifference[];
  /** True if the notes stand below the picture, because there is one screen. */
  readonly notes: boolean;
  readonly startedAtMs: number;
}

export type ShowCommand =
  | "next"
  | "back"
  | "black"
  /** Freezes, or asks to unfreeze. */
  | "freeze"
  /** Asks to leave. */
  | "leave";

/** Work of a command beyond the state. */
export type ShowEffect = "freeze" | "unfreeze" | "leave" | undefined;

const showKeys: Readonly<Record<string, ShowCommand | "presenter">> = {
  ArrowRight: "next",
  PageDown: "next",
  " ": "next",
  ArrowLeft: "back",
  PageUp: "back",
  b: "black",
  ".": "black",
  f: "freeze",
  p: "presenter",
  Escape: "leave",
};

/** Returns what a key of the keyboard or of a clicker does in the show. */
export function findShowCommand(key: string): ShowCommand | "presenter" | undefined {
  return showKeys[key] ?? showKeys[key.toLowerCase()];
}

export function startShow(steps: readonly BriefingStep[], startedAtMs: number, frozen: Frozen): Show {
  return {
    ...{ steps, startedAtMs, frozen },
    ...{ current: 0, wanted: 0, black: false, asking: undefined, differences: [], notes: false },
  };
}

/** Applies a command of the person at the projector, who is asked before what cannot be taken back. */
export function command(
  show: Show,
  given: ShowCommand,
): { readonly show: Show; readonly effect: ShowEffect } {
  const stay = (next: Show, effect?: ShowEffect) => ({ show: next, effect });
  if (show.asking !== undefined) {
    const isConfirmed =
      given === "leave" ? show.asking === "leave" : given === "freeze" && show.asking === "unfreeze";
    return stay({ ...show, asking: undefined }, isConfirmed ? show.asking : undefined);
  }
  switch (given) {
    case "leave":
      return stay({ ...show, asking: "leave" });
    case "freeze":
      return show.frozen ? stay({ ...show, asking: "unfreeze" }) : stay(show, "freeze");
    case "black":
      return stay({ ...show, black: !show.black });
    case "next":
    case "back":
      // As in every program for slides, the first press brings the picture back.
      if (show.black) return stay({ ...show, black: false });
      return stay(want(show, show.wanted + (given === "next" ? 1 : -1)));
  }
}

/** Wants a step, or the first or last one. */
export function want(show: Show, step: number): Show {
  const wanted = Math.max(0, Math.min(show.steps.length - 1, step));
  return wanted === show.wanted ? show : { ...show, wanted };
}

/** Takes a step that is on the projector now. */
export function arrive(show: Show, step: number): Show {
  return { ...show, current: step, differences: [] };
}

/** Returns true if the room sees another picture than the one recorded. One that was replaced since is still itself. */
export function isOtherPicture({ differences }: Show): boolean {
  return differences.some(({ kind }) => kind !== "revision-replaced");
}
