// Changes of a briefing's list of steps. Pure; each returns a new list, or the same one if nothing changes.
import { stepLimits, type BriefingStep } from "../../../shared/views/briefing-steps.ts";

export type Steps = readonly BriefingStep[];

/** Adds a step after the last one. A full list stays as it is. */
export function addStep(steps: Steps, step: BriefingStep): Steps {
  return steps.length >= stepLimits.steps ? steps : [...steps, step];
}

export function removeStep(steps: Steps, id: string): Steps {
  return steps.filter((step) => step.id !== id);
}

export function changeStep(
  steps: Steps,
  id: string,
  change: Partial<Pick<BriefingStep, "title" | "notes" | "view">>,
): Steps {
  return steps.map((step) => (step.id === id ? { ...step, ...change } : step));
}

/** Moves a step to an index of the list, or to the nearest end. */
export function moveStep(steps: Steps, id: string, index: number): Steps {
  const from = steps.findIndex((step) => step.id === id);
  const to = Math.max(0, Math.min(steps.length - 1, index));
  if (from < 0 || from === to) return steps;
  const others = steps.toSpliced(from, 1);
  return others.toSpliced(to, 0, steps[from]!);
}
