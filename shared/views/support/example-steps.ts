// Steps of a briefing for tests.
import type { BriefingStep, BriefingSteps } from "../briefing-steps.ts";
import { noSteps } from "../briefing-steps.ts";
import { exampleView } from "./any-view.ts";

export function stepOf(id: string, facts: Partial<BriefingStep> = {}): BriefingStep {
  return {
    id,
    title: `Step ${id}`,
    notes: "",
    view: exampleView,
    ...facts,
  };
}

/** Returns a document with steps of these ids. */
export function stepsOf(eventId: string, ...ids: readonly string[]): BriefingSteps {
  return { ...noSteps(eventId), steps: ids.map((id) => stepOf(id)) };
}
