// The words for panes side by side: what the lock does now, how far a pane is behind, and why it shows nothing new.
import { toLagMs, type Lead, type Lock, type Locked } from "../state/panes/lock.ts";
import type { Onset, OnsetRule } from "../state/panes/onset.ts";
import type { PaneLetter } from "../state/panes/pane-store.ts";
import type { Revision } from "../state/timeline/revisions.ts";
import { windowMs } from "../../shared/revisions/observation-window.ts";
import { clockDay, clockMinute, counted, duration, minuteWithZone, timeWithZone } from "./format.ts";

export const lockWords: Readonly<Record<Lock, { readonly label: string; readonly hint: string }>> = {
  observed: { label: "Observed time", hint: "The same time in each pane, else the nearest before it" },
  sequence: { label: "Sequence", hint: "The same publication number in each pane" },
  onset: { label: "Time since onset", hint: "As many minutes after the onset in each pane" },
  off: { label: "Off", hint: "The arrows move the active pane only" },
};

export const onsetRuleWords: Readonly<Record<OnsetRule, string>> = {
  either: "first 1 in hail or 40 dBZ",
  "mrms-mesh": "first 1 in hail",
  "mrms-reflectivity": "first 40 dBZ",
};

const markWords = { "mrms-mesh": "1 in hail", "mrms-reflectivity": "40 dBZ" } as const;

/** A pane on screen, for its words. */
export interface PaneFacts {
  readonly letter: PaneLetter;
  /** The revision on screen. */
  readonly shown: Revision | undefined;
  readonly onset: Onset | undefined;
  /** Undefined for the active pane. */
  readonly locked: Locked | undefined;
}

const allWords: Readonly<Record<number, string>> = { 1: "", 2: " in both", 4: " in all four" };

/** `observed 21:28:39 UTC in all four`, `44 min after onset`: what the lock does now. */
export function lockMeaning(lock: Lock, active: PaneLetter, panes: readonly PaneFacts[]): string {
  const lead = panes.find(({ letter }) => letter === active);
  if (!lead?.shown) return "";
  if (lock === "off") return `arrows move pane ${active} only`;
  const { shown } = lead;
  const missing = panes.filter(({ locked }) => locked && locked.kind !== "shown");
  const isWhole = missing.length === 0;
  const where = isWhole ? (allWords[panes.length] ?? "") : ` in ${active}`;
  if (lock === "sequence") return `revision ${shown.sequence}${where}`;
  if (lock === "observed") {
    const isOneTime = panes.every((pane) => pane.shown?.observedMs === shown.observedMs);
    const isOneWindow = panes.every((pane) => pane.shown && pane.shown.window === shown.window);
    const all = isOneWindow ? where : ` in ${active}`;
    return `observed ${isOneTime || !isOneWindow ? timeWithZone(shown.observedMs) : minuteWithZone(shown.observedMs)}${all}`;
  }
  if (panes.some(({ onset }) => onset === undefined || onset.kind === "searching"))
    return "looking for the onset…";
  return sinceOnset(shown, lead.onset) ?? `${active} has no onset`;
}

/** `44 min after onset`, `6 min before onset`, `at onset`; undefined without one. */
export function sinceOnset(shown: Revision, onset: Onset | undefined): string | undefined {
  if (onset?.kind !== "found") return undefined;
  const minutes = minutesSince(shown, onset.window);
  if (minutes === 0) return "at onset";
  return minutes > 0 ? `${minutes} min after onset` : `${-minutes} min before onset`;
}

function minutesSince(revision: Revision, window: number): number {
  return ((revision.window - window) * windowMs) / 60_000;
}

/** `40 s earlier`; undefined where the pane shows exactly what the lock asks for. */
export function lagWords(lock: Lock, lead: Lead, pane: PaneFacts): string | undefined {
  if (!pane.shown || pane.locked?.kind !== "shown") return undefined;
  const onset = pane.onset?.kind === "found" ? pane.onset.window : undefined;
  const lagMs = toLagMs(lock, lead, pane.shown, onset);
  if (lagMs === undefined || lagMs === 0) return undefined;
  return `${duration(Math.abs(lagMs))} ${lagMs > 0 ? "earlier" : "later"}`;
}

/** Says why a pane keeps its last picture: `A ends 44 min after onset`. */
export function missingWords({ letter, locked, onset }: PaneFacts, lock: Lock): string | undefined {
  if (!locked || locked.kind === "shown") return undefined;
  switch (locked.kind) {
    case "begins":
    case "ends":
      return `${letter} ${locked.kind} ${endWords(locked.at, lock, onset)}`;
    case "no-such-sequence":
      return locked.sequence > locked.last
        ? `${letter} ends at revision ${locked.last}`
        : `${letter} has no revision ${locked.sequence}`;
    case "no-onset":
      return onset === undefined || onset.kind === "searching"
        ? "Looking for the onset…"
        : onset.kind === "none"
          ? `${letter} has no onset`
          : "The active pane has no onset";
    case "empty":
      return `${letter} has no frames`;
  }
}

function endWords(at: Revision, lock: Lock, onset: Onset | undefined): string {
  const since = lock === "onset" ? sinceOnset(at, onset) : undefined;
  return since ?? `at ${minuteWithZone(at.observedMs)}, ${clockDay(at.observedMs)}`;
}

/** `A 21:14 (40 dBZ)`: the onset of one pane. */
export function onsetWords(letter: PaneLetter, onset: Onset | undefined): string {
  if (onset === undefined) return `${letter} …`;
  if (onset.kind === "searching") return `${letter}: ${onset.read} of ${onset.windows} windows read`;
  const unread = onset.unread > 0 ? `, ${counted(onset.unread, "window", "windows")} not read` : "";
  if (onset.kind === "none") return `${letter}: none${unread}`;
  return `${letter} ${clockMinute(onset.observedMs)} (${markWords[onset.by]}${unread})`;
}
