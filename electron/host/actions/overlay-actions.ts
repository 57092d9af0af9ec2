// Actions on overlays: what a person has the host read, and the presets that are kept with an event.
import type { OverlayActionName } from "../../../shared/contract/action-names.ts";
import type { ActionHandlers } from "../../../shared/contract/actions.ts";
import type { FetchPresetOptions } from "../../sources/overlays/fetch-preset.ts";
import { presets } from "../../sources/overlays/presets.ts";
import type { OverlaySwitch } from "../start/overlay-switch.ts";
import type { TaskBoard } from "./task-board.ts";

export interface OverlayActionParts extends Pick<FetchPresetOptions, "catalog" | "addresses" | "effects"> {
  readonly board: TaskBoard;
  readonly overlays: Pick<OverlaySwitch, "choices" | "add" | "change" | "remove">;
}

export function createOverlayActions({
  board,
  overlays,
  ...place
}: OverlayActionParts): ActionHandlers<OverlayActionName> {
  return {
    "overlays.list": () => Promise.resolve({ overlays: [...overlays.choices()] }),
    "overlays.add": (draft) => overlays.add(draft),
    "overlays.change": (overlay) => overlays.change(overlay),
    "overlays.remove": async ({ id }) => {
      await overlays.remove(id);
      return { id };
    },
    "overlays.fetchPreset": async ({ eventId, preset }) => {
      const { fetchPreset, getObservedEvent, toFetchedWords } =
        await import("../../sources/overlays/fetch-preset.ts");
      const { label } = await getObservedEvent(place.catalog, eventId);
      return board.start({
        kind: "overlay-fetch",
        eventId,
        message: `Fetching ${presets[preset].title} of ${label}.`,
        begin: ({ progress, say }, signal) => {
          progress(0, 1);
          const fetched = fetchPreset({ ...place, eventId, preset, signal, say });
          const ended = fetched.then((result) => {
            progress(1, 1);
            return toFetchedWords(result);
          });
          return { ended };
        },
      });
    },
  };
}
