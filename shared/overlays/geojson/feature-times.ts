// The times of a feature, by the names that files usually give them.
import type { OverlayShape } from "../overlay.ts";
import { readInstant } from "../reading/read-instant.ts";
import type { Properties } from "./parse-features.ts";

type Times = Pick<OverlayShape, "fromMs" | "toMs">;

/** Names without case, `_`, `-`, `:` and blanks; the first that is there counts. */
const names = {
  from: [
    ...[
      "validfrom",
      "validstart",
      "begin",
      "begins",
      "start",
      "starts",
      "starttime",
      "startdate",
      "startsat",
    ],
    ...["begintime", "begindate", "timebegin", "timestart", "onset", "issue", "issued", "effective"],
  ],
  to: [
    ...["validto", "validuntil", "validend", "end", "ends", "endtime", "enddate", "endsat", "timeend"],
    ...["expire", "expires", "expired", "expiration", "until"],
  ],
  at: ["time", "timestamp", "datetime", "validtime", "valid", "observedat", "observed", "when"],
} as const;

export interface FeatureTimes extends Times {
  /** A beginning or an end has no time that can be read, so that the feature has none. */
  readonly isUnreadable: boolean;
}

export function readFeatureTimes(properties: Properties): FeatureTimes {
  const byName = new Map<string, unknown>();
  for (const [name, value] of Object.entries(properties)) {
    const plain = name.toLowerCase().replace(/[\s_:-]/g, "");
    if (value !== null && value !== "" && !byName.has(plain)) byName.set(plain, value);
  }
  const find = (list: readonly string[]): unknown => byName.get(list.find((name) => byName.has(name)) ?? "");
  const [to, at] = [find(names.to), find(names.at)];
  // A shape that is valid for a span of time may have been issued before it.
  const isSpan = to !== undefined && readInstant(byName.get("valid")) !== undefined;
  const from = isSpan ? byName.get("valid") : find(names.from);
  const fromMs = readInstant(from);
  const toMs = readInstant(to, "last");
  const isUnreadable =
    (from !== undefined && fromMs === undefined) || (to !== undefined && toMs === undefined);
  if (isUnreadable) return { isUnreadable };
  if (fromMs !== undefined || toMs !== undefined) return { fromMs, toMs, isUnreadable };
  const atMs = readInstant(at);
  return { fromMs: atMs, toMs: atMs, isUnreadable };
}
