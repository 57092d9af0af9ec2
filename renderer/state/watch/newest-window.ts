// Which arrival a watch rule looks at: the newest observation window, when it is published or gets another version.
import type { Revision } from "../timeline/revisions.ts";

/** The newest revision and window of one event at which the rules have looked. */
export interface Watched {
  readonly eventId: string;
  readonly sequence: number;
  readonly window: number;
}

export interface Arrival {
  readonly watched: Watched;
  /** The revision to look at; undefined if the arrival is none to tell of. */
  readonly revision: Revision | undefined;
}

/**
 * Returns what to look at after the list of an event changed. The first list of an event is its history and is never
 * told. Backfills and corrections of older windows are passed over; of several new revisions, as after a time without
 * connection, only the one of the newest window counts.
 */
export function findArrival(
  before: Watched | undefined,
  eventId: string,
  all: readonly Revision[],
): Arrival | undefined {
  const last = all.at(-1);
  if (!last) return undefined;
  if (before?.eventId !== eventId) {
    const window = Math.max(...all.map((revision) => revision.window));
    return { watched: { eventId, sequence: last.sequence, window }, revision: undefined };
  }
  if (last.sequence <= before.sequence) return undefined;
  const revision = all
    .filter(({ sequence, window }) => sequence > before.sequence && window >= before.window)
    .reduce<Revision | undefined>(
      (best, next) => (best && best.window > next.window ? best : next),
      undefined,
    );
  const window = revision?.window ?? before.window;
  return { watched: { eventId, sequence: last.sequence, window }, revision };
}
