// The keys of the timeline's sliders.
import type { KeyboardEvent } from "react";

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: -Infinity,
  End: Infinity,
};

/** Returns how many revisions the key moves forward, infinite for Home and End; undefined for other keys. */
export function toSteps({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): number | undefined {
  return ctrlKey || metaKey || altKey ? undefined : steps[key];
}
