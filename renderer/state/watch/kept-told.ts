// The storms that the rules told of in the open event. The tab keeps them, so that a reload does not tell them again.
import * as z from "zod";
import { ToldStorm } from "../../../shared/analysis/watch/told-storms.ts";
import type { StoredValue } from "../../platform/stored-value.ts";
import type { WatchRule } from "./watch-rule.ts";

export const KeptTold = z.object({
  eventId: z.string(),
  /** By the words of `rulePart`. */
  byRule: z.record(z.string(), z.array(ToldStorm).readonly()),
});
export type KeptTold = z.infer<typeof KeptTold>;

export const keptToldKey = "echotop.told-storms";

/** Points that are kept of the storms of one rule; 20 rules are at most 2 MB. */
export const mostKeptPoints = 5_000;

/** Returns what a rule looks for, as one text: with other ways to tell it remembers its storms. */
export function rulePart({ id, layer, lower, area }: WatchRule): string {
  return JSON.stringify([id, layer, lower, area]);
}

/** Returns the storms told in this event; none if another one was open. */
export function loadTold(stored: StoredValue<KeptTold>, eventId: string): KeptTold {
  const kept = stored.load();
  return kept?.eventId === eventId ? kept : { eventId, byRule: {} };
}

/** Keeps the storms of these rules, the ones seen last first, up to the limit. */
export function saveTold(
  stored: StoredValue<KeptTold>,
  { eventId, byRule }: KeptTold,
  rules: readonly WatchRule[],
): void {
  const kept = rules.map(rulePart).map((part) => {
    let room = mostKeptPoints;
    const newest = (byRule[part] ?? []).toSorted((one, other) => other.observedMs - one.observedMs);
    return [part, newest.filter(({ points }) => (room -= points.length) >= 0)] as const;
  });
  stored.save({ eventId, byRule: Object.fromEntries(kept) });
}
