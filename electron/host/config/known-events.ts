// The known hail events that come with the program: `assets/known-events.json`.
import * as z from "zod";
import entries from "../../../assets/known-events.json" with { type: "json" };
import { KnownEventEntry } from "../../../shared/contract/known-event.ts";

/** Returns all known events in the order of their windows. */
export function listKnownEvents(): readonly KnownEventEntry[] {
  return z.array(KnownEventEntry).parse(entries);
}
