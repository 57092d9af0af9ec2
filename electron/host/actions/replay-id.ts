// A name for a replay that nobody has chosen one for: the event's own with a mark and a number at its end.
import { AppError } from "../../../shared/app-error.ts";

/** The longest event id. */
const maxLength = 64;
const maxReplays = 1_000;

/** `iowa` gives `iowa-replay`, then `iowa-replay-2`. Throws `conflict` when a thousand are taken. */
export async function freeReplayId(
  eventId: string,
  isTaken: (id: string) => Promise<boolean>,
): Promise<string> {
  for (let number = 1; number <= maxReplays; number++) {
    const end = number === 1 ? "-replay" : `-replay-${number}`;
    // An id ends in a letter or digit, and so must what is left of it.
    const id = eventId.slice(0, maxLength - end.length).replace(/-+$/, "") + end;
    if (!(await isTaken(id))) return id;
  }
  throw new AppError("conflict", "This event has been replayed too often; archive or name a replay.");
}
