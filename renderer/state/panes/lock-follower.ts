// Moves the panes that follow: when the active pane moves, when the lock changes, or when a pane gets another event.
// An arrival moves no pane, unless the active one follows the newest window: neither into a window that the pane
// lacked, nor by an onset that it moves or that is found in it.
import { selectWantedRevision } from "../selectors.ts";
import { wantedSoon } from "../timeline/wanted-soon.ts";
import type { Revision } from "../timeline/revisions.ts";
import { findLocked, type Lead, type Locked } from "./lock.ts";
import {
  onsetWindowOf,
  selectActivePane,
  selectVisiblePanes,
  type Pane,
  type PaneLetter,
  type PanesState,
  type PanesStore,
} from "./pane-store.ts";

/** Returns the lead for a revision of the active pane. */
export function toLead(panes: PanesState, revision: Revision): Lead {
  return { revision, onset: onsetWindowOf(panes, panes.active) };
}

/** Returns what a pane shows when the active one shows `revision`; undefined without a lock, or for the active pane. */
export function findForPane(panes: PanesState, pane: Pane, revision: Revision): Locked | undefined {
  const { lock, active } = panes;
  if (lock === "off" || pane.letter === active) return undefined;
  const { revisions } = pane.store.getState().history;
  return findLocked(lock, toLead(panes, revision), {
    revisions,
    onset: onsetWindowOf(panes, pane.letter),
  });
}

/** The state of a pane that the lock depends on. */
const inputs = ["selectedEventId", "history", "knownAt", "playhead", "loop", "playOrder"] as const;

/** Follows until the returned function is called. */
export function followLock(panesStore: PanesStore): () => void {
  /** State of each pane at the last look; a changed one moves the pane. */
  const known = new Map<PaneLetter, string>();
  /** Onsets by which each pane was moved last. */
  const knownOnsets = new Map<PaneLetter, string>();
  /** Highest sequence of each pane's event when the pane was last asked for; what has a later one arrived. */
  const knownLatest = new Map<PaneLetter, number>();
  let knownActive: PaneLetter | undefined;
  let isMoving = false;

  function look(): void {
    if (isMoving) return;
    const panes = panesStore.getState();
    const lead = selectActivePane(panes);
    const revision = selectWantedRevision(lead.store.getState());
    // Another pane takes the lead without moving any.
    const isTakeover = knownActive !== panes.active;
    knownActive = panes.active;
    const leadKey = [panes.lock, panes.onsetRule, lead.store.getState().selectedEventId, revision?.sequence];
    isMoving = true;
    const locked: Partial<Record<PaneLetter, Locked>> = {};
    for (const pane of selectVisiblePanes(panes)) {
      const result = revision && findForPane(panes, pane, revision);
      const { selectedEventId, history, knownAt } = pane.store.getState();
      const isSearched = panes.lock !== "onset" || [panes.active, pane.letter].every(isSearchedIn(panes));
      const key = [...leadKey, selectedEventId, knownAt, history.revisions.length > 0, isSearched].join("|");
      const isAsked = known.get(pane.letter) !== key && !isTakeover;
      known.set(pane.letter, key);
      if (isAsked || isFollowingNewest(lead))
        knownLatest.set(pane.letter, history.latestSequence ?? Infinity);
      const onsets = [panes.active, pane.letter].map((letter) => onsetWindowOf(panes, letter)).join();
      if (isAsked || isTakeover) knownOnsets.set(pane.letter, onsets);
      const isSameOnset = panes.lock !== "onset" || knownOnsets.get(pane.letter) === onsets;
      if (result) {
        locked[pane.letter] = result;
        const isHeld = result.kind === "shown" && result.revision.sequence > knownLatest.get(pane.letter)!;
        if (result.kind === "shown" && isSameOnset && !isHeld) move(pane, result.revision, isAsked);
      }
      setSoon(panes, pane, lead, result && revision);
    }
    isMoving = false;
    if (!isSameLocked(locked, panes.locked)) panesStore.setState({ locked });
  }

  function move({ store }: Pane, target: Revision, isAsked: boolean): void {
    const wanted = selectWantedRevision(store.getState());
    if (wanted === target || (!isAsked && wanted && wanted.window === target.window)) return;
    store.getState().goTo(target.sequence);
  }

  const stops = new Map<Pane, () => void>();
  function watch(): void {
    const { panes } = panesStore.getState();
    for (const [pane, stop] of stops) {
      if (panes.includes(pane)) continue;
      stop();
      stops.delete(pane);
      for (const map of [known, knownOnsets, knownLatest]) map.delete(pane.letter);
    }
    for (const pane of panes) {
      if (stops.has(pane)) continue;
      const stop = pane.store.subscribe((state, previous) => {
        if (inputs.some((key) => state[key] !== previous[key])) look();
      });
      stops.set(pane, stop);
    }
    look();
  }
  watch();
  const stop = panesStore.subscribe(watch);
  return () => {
    stop();
    for (const end of stops.values()) end();
  };
}

function isFollowingNewest({ store }: Pane): boolean {
  const { playhead, knownAt } = store.getState();
  return playhead.mode === "pinned" && knownAt === undefined;
}

/** An onset that is found later was moved there by an arrival. */
function isSearchedIn({ onsets }: PanesState): (letter: PaneLetter) => boolean {
  return (letter) => onsets[letter] !== undefined && onsets[letter].kind !== "searching";
}

/** Tells a follower which pictures come next, so that it has them when the lead steps. */
function setSoon(panes: PanesState, pane: Pane, lead: Pane, revision: Revision | undefined): void {
  const leadSoon = revision && wantedSoon(lead.store.getState(), revision);
  const sequences = leadSoon?.flatMap((later) => {
    const next = findForPane(panes, pane, later);
    return next?.kind === "shown" ? [next.revision.sequence] : [];
  });
  const soon = sequences && [...new Set(sequences)];
  if (soon?.join() !== pane.store.getState().lockedSoon?.join()) pane.store.setState({ lockedSoon: soon });
}

type LockedPanes = PanesState["locked"];

function isSameLocked(first: LockedPanes, second: LockedPanes): boolean {
  return JSON.stringify(first) === JSON.stringify(second);
}
