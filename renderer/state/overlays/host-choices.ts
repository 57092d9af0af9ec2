// Keeps what a person chose for overlays of the host, by their ids: the host knows neither switch nor color.
import * as z from "zod";
import type { StoredValue } from "../../platform/stored-value.ts";
import { keptHostChoices } from "../../platform/viewer-limits.ts";
import type { ViewerStore } from "../store.ts";
import { overlayColors, type Overlay, type OverlayChoice } from "./held-overlay.ts";
import { SavedRule } from "./overlay-session.ts";

/** The choice made last is the last one. */
export const HostChoices = z.array(
  z.object({
    id: z.string(),
    isOn: z.boolean(),
    rule: SavedRule.optional(),
    color: z.enum(overlayColors),
    hasFileColors: z.boolean(),
  }),
);
export type HostChoices = z.infer<typeof HostChoices>;

export const hostChoicesKey = "echotop.overlay-choices";

/** Saves each choice from now on. Returns the function that finds the choice for an overlay. */
export function keepHostChoices(
  store: ViewerStore,
  stored: StoredValue<HostChoices>,
): (id: string) => OverlayChoice | undefined {
  let choices = stored.load() ?? [];
  store.subscribe(({ overlays }, previous) => {
    if (overlays === previous.overlays) return;
    const changed = overlays.filter((overlay) => {
      const before = previous.overlays.find(({ id }) => id === overlay.id);
      return overlay.place === "host" && before && isChosenAnew(overlay, before);
    });
    if (changed.length === 0) return;
    const others = choices.filter(({ id }) => !changed.some((overlay) => overlay.id === id));
    choices = [...others, ...changed.map(toChoice)].slice(-keptHostChoices);
    stored.save(choices);
  });
  return (id) => {
    const found = choices.find((choice) => choice.id === id);
    return found && { ...found, rule: found.rule };
  };
}

function isChosenAnew(overlay: Overlay, before: Overlay): boolean {
  return (["isOn", "rule", "color", "hasFileColors"] as const).some((key) => overlay[key] !== before[key]);
}

function toChoice({ id, isOn, rule, color, hasFileColors }: Overlay): HostChoices[number] {
  return { id, isOn, color, hasFileColors, ...(rule && { rule }) };
}
