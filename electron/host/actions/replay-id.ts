// The default id of a replay: the event's id with a suffix.
import { AppError } from "../../../shared/app-error.ts";

/** The longest event id. */
const maxLength = 64;
const mostReplays = 1_000;

/** Returns the first free id of `iowa-replay`, `iowa-replay-2`, and so on. Throws `conflict` if all are taken. */
export async function freeReplayId(
  eventId: string,
  isTaken: (id: string) => Promise<boolean>,
): Promise<string> {
  for (let number = 1; number <= mostReplays; number++) {
    const end = number === 1 ? "-replay" : `-replay-${number}`;
    // The shortened id must end in a letter or digit too.
    const id = eventId.slice(0, maxLength - end.length).replace(/-+$/, "") + end;
    if (!(await isTaken(id))) return id;
  }
  throw new AppError("conflict", "This event has 1,000 replays; give the replay an id.");
}
