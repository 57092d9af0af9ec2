// The forms for overlays that the host reads: an address or a folder as a person types it, and the presets of an event.
import { OverlayDraft, OverlayTitle } from "../../../shared/contract/overlays.ts";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import type { StormEvent } from "../../../shared/contract/index.ts";
import type { Task } from "../../../shared/contract/task.ts";
import { isUnderWay } from "../slices/tasks-slice.ts";

export const paceMinutes = [1, 2, 5, 15, 60] as const;

/** Text as it was typed; `place` is the address or the folder's path. */
export interface TypedOverlay {
  readonly kind: "address" | "folder";
  readonly place: string;
  readonly name: string;
  readonly everyMinutes: number;
  readonly allowPrivate: boolean;
}

export function emptyOverlay(kind: TypedOverlay["kind"]): TypedOverlay {
  return { kind, place: "", name: "", everyMinutes: 5, allowPrivate: false };
}

/** Returns what is missing or wrong, or undefined if the overlay can be added. */
export function findOverlayProblem(typed: TypedOverlay): string | undefined {
  const place = typed.place.trim();
  if (typed.kind === "address") {
    if (place === "") return "Enter an address, such as https://example.org/spotters.txt.";
    if (!URL.canParse(place) || !/^https?:\/\//i.test(place)) return "The address must begin with https://.";
  } else {
    if (place === "") return "Enter the folder with its whole path.";
    if (!/^(?:\/|\\\\|[a-z]:[\\/])/i.test(place)) return "The folder must be given with its whole path.";
  }
  const name = OverlayTitle.safeParse(nameFor(typed));
  if (!name.success) return `${name.error.issues[0]!.message}.`;
  return OverlayDraft.safeParse(toOverlayDraft(typed)).success ? undefined : "That is too long.";
}

/** Converts what was typed, without a problem, to what the host takes. */
export function toOverlayDraft(typed: TypedOverlay): OverlayDraft {
  const { kind, everyMinutes, allowPrivate } = typed;
  const place = typed.place.trim();
  const source: OverlayDraft["source"] =
    kind === "address"
      ? { kind, url: place, everySeconds: everyMinutes * 60, allowPrivate }
      : { kind, path: place, newest: null };
  return { name: nameFor(typed), on: true, source };
}

/** Names an overlay without a name after the host of its address, or the last part of its folder. */
function nameFor({ kind, place, name }: TypedOverlay): string {
  if (name.trim() !== "") return name.trim();
  if (kind === "address") return new URL(place.trim()).hostname;
  return (
    place
      .split(/[\\/]/)
      .findLast((part) => part.trim() !== "")
      ?.trim() ?? place.trim()
  );
}

/** Returns why the presets of an event cannot be fetched, or undefined if they can. */
export function findPresetObstacle(
  event: StormEvent | undefined,
  tasks: readonly Task[],
): string | undefined {
  if (!event) return "Choose an event first.";
  if (natureOf(event).includes("synthetic"))
    return "This storm is synthetic: nothing official belongs to it.";
  if (!event.startedAt || !event.endedAt)
    return "This event has no pictures yet: there is no time to ask for.";
  const isBusy = tasks.some(
    (task) => task.kind === "overlay-fetch" && task.eventId === event.id && isUnderWay(task),
  );
  return isBusy ? "Already fetching for this event." : undefined;
}

/** Returns the paces to choose from, in seconds, with the one that is set. */
export function pacesWith(seconds: number): readonly number[] {
  const paces = new Set([...paceMinutes.map((minutes) => minutes * 60), seconds]);
  return [...paces].toSorted((a, b) => a - b);
}
