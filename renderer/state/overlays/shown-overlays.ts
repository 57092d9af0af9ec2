// Selects the shapes of each overlay that belong to the picture on screen, by its observed time and their rule.
import { chooseTimeRule, TimedShapes, type ShownShapes } from "../../../shared/overlays/time-rule.ts";
import type { OverlayContent, TimeRule } from "../../../shared/overlays/overlay.ts";
import { natureOf } from "../../../shared/revisions/event-origin.ts";
import { staleAfterMs } from "../../platform/viewer-limits.ts";
import { findRevision, pinnedIndexOf } from "../timeline/revisions.ts";
import { isLiveEvent, memoizeSelector, selectDrawn, selectSelectedEvent } from "../selectors.ts";
import type { ViewerState } from "../store.ts";
import { rulesFor, sortOf, type Overlay, type OverlayOrigin } from "./held-overlay.ts";

/** The moment that a picture is about. */
export interface PictureMoment {
  readonly observedMs: number;
  /** The newest picture of a live event, which is not old, and nothing published later is hidden. */
  readonly isNow: boolean;
}

export interface ShownOverlay extends ShownShapes {
  readonly overlay: Overlay;
  readonly rule: TimeRule;
  /** Why the overlay is not drawn over this storm, whatever its times. */
  readonly unfit: "official-over-synthetic" | "synthetic-over-real" | undefined;
}

const nothing: ShownShapes = { shapes: [], laterHidden: 0, heldBack: 0 };

/** Returns the moment of a revision; undefined if the event does not hold it. */
export function toMoment(state: ViewerState, sequence: number | undefined): PictureMoment | undefined {
  const { history, knownAt, nowMs } = state;
  const revision = sequence === undefined ? undefined : findRevision(history.all, sequence);
  const event = selectSelectedEvent(state);
  if (!revision || !event) return undefined;
  const newest = history.all[pinnedIndexOf(history.all) ?? -1];
  const isFresh = nowMs - revision.observedMs <= staleAfterMs;
  return {
    observedMs: revision.observedMs,
    isNow: isLiveEvent(event) && knownAt === undefined && revision === newest && isFresh,
  };
}

/** Warnings and reports keep to their times, whatever was chosen when other content was at their address. */
export function ruleOf({ rule, content, untimed }: Overlay): TimeRule {
  if (!content) return rule ?? { kind: untimed };
  const fits =
    rule && (sortOf(content) === "shapes" || rulesFor(content).some(({ kind }) => kind === rule.kind));
  return fits ? rule : chooseTimeRule(content, untimed);
}

/** Returns undefined where no event is selected. */
function isSyntheticEvent(state: ViewerState): boolean | undefined {
  const event = selectSelectedEvent(state);
  return event && natureOf(event).includes("synthetic");
}

function findUnfit(origin: OverlayOrigin, isSynthetic: boolean | undefined): ShownOverlay["unfit"] {
  if (origin === "official" && isSynthetic) return "official-over-synthetic";
  return origin === "synthetic" && isSynthetic === false ? "synthetic-over-real" : undefined;
}

/** Finds what is shown of overlays, and keeps the index of their times. Without a picture nothing is shown. */
export class OverlayShower {
  readonly #indexes = new WeakMap<OverlayContent, TimedShapes>();

  show(state: ViewerState, sequence: number | undefined): readonly ShownOverlay[] {
    const moment = toMoment(state, sequence);
    const isSynthetic = isSyntheticEvent(state);
    const ofEvent = state.overlays.filter(
      ({ eventId }) => eventId === undefined || eventId === state.selectedEventId,
    );
    return ofEvent.map((overlay) => {
      const { content, untimed, isOn, origin } = overlay;
      const rule = ruleOf(overlay);
      const unfit = findUnfit(origin, isSynthetic);
      if (!content || !isOn || unfit || !moment) return { ...nothing, overlay, rule, unfit };
      let index = this.#indexes.get(content);
      if (!index) {
        index = new TimedShapes(content.shapes, untimed);
        this.#indexes.set(content, index);
      }
      return { ...index.show(rule, moment), overlay, rule, unfit: undefined };
    });
  }
}

/** Returns a selector of what is shown with the picture on screen. */
export function createShownSelector(): (state: ViewerState) => readonly ShownOverlay[] {
  const shower = new OverlayShower();
  return memoizeSelector(
    (state) => {
      const moment = toMoment(state, selectDrawn(state)?.sequence);
      const { overlays, selectedEventId } = state;
      return [overlays, selectedEventId, moment?.observedMs, moment?.isNow, isSyntheticEvent(state)];
    },
    (state) => shower.show(state, selectDrawn(state)?.sequence),
  );
}

const selectors = new WeakMap<object, (state: ViewerState) => readonly ShownOverlay[]>();

/** Returns what is shown with the picture on screen, the same list while nothing changes. */
export function selectShownOverlays(state: ViewerState): readonly ShownOverlay[] {
  // The actions of a store never change, so any of them identifies it.
  const store = state.chooseEvent;
  let select = selectors.get(store);
  if (!select) {
    select = createShownSelector();
    selectors.set(store, select);
  }
  return select(state);
}
