// Options that take a sequence, and their check against the history of an event.
import { Option } from "@commander-js/extra-typings";
import { AppError } from "../../shared/app-error.ts";
import { knownAt } from "../../shared/revisions/known-at.ts";
import type { EventHistory, HistoryRevision } from "../host/analysis/event-history.ts";
import { openReadable, useCatalog } from "../host/jobs/stores.ts";
import { UsageError } from "./option-values.ts";
import type { StoresContext } from "./stores-option.ts";

/** The help's words on sequences. */
export const removedSequences =
  "A sequence that the event never had is a wrong command line (2); one whose revision retention has removed is a failure (1).";

/** `--known-at` of commands that read the revisions up to a sequence. */
export function knownAtOption() {
  return new Option("--known-at <sequence>", "only revisions up to this one (default: all)").argParser(
    parseSequence("--known-at"),
  );
}

/** Returns a parser of the option's values. */
export function parseSequence(option: string): (text: string) => number {
  return (text) => {
    if (/^\d{1,15}$/.test(text)) return Number(text);
    throw new UsageError(`${option} takes a sequence such as 12, not "${text}".`);
  };
}

/** @throws AppError `not-found` for an unknown event; the signal's reason */
export async function readEventHistory(
  eventId: string,
  { location, signal }: StoresContext,
): Promise<EventHistory> {
  const { readHistory } = await import("../host/analysis/event-history.ts");
  return useCatalog(location, openReadable, (catalog) => readHistory(catalog, eventId, signal));
}

/**
 * Returns the revisions up to a sequence; all without one.
 * @throws UsageError if the event never had it; AppError `not-found` if all revisions up to it are gone
 */
export function takeKnown(
  history: EventHistory,
  sequence: number | undefined,
  option: string,
): readonly HistoryRevision[] {
  const { revisions } = history;
  if (sequence === undefined) return revisions;
  checkSequence(history, sequence, option);
  const known = knownAt(revisions, sequence);
  if (known.length === 0) throw notKept(history, sequence);
  return known;
}

/** Returns a revision. @throws UsageError if the event never had it; AppError `not-found` if it is gone */
export function getRevision(history: EventHistory, sequence: number, option: string): HistoryRevision {
  checkSequence(history, sequence, option);
  const revision = history.revisions.find((candidate) => candidate.sequence === sequence);
  if (!revision) throw notKept(history, sequence);
  return revision;
}

function checkSequence({ eventId, latestSequence }: EventHistory, sequence: number, option: string): void {
  if (sequence >= 1 && sequence <= latestSequence) return;
  const range = latestSequence === 0 ? "no revision" : `revisions 1 to ${latestSequence}`;
  throw new UsageError(`${option}: the event ${eventId} has ${range}, not ${sequence}.`);
}

function notKept({ eventId, revisions }: EventHistory, sequence: number): AppError {
  const oldest = revisions[0];
  const kept = oldest ? `; the oldest is ${oldest.sequence}` : "";
  return new AppError("not-found", `The event ${eventId} no longer keeps revision ${sequence}${kept}.`);
}
