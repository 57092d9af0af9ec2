// The bounded, newest part of an event's revisions, in ascending publication sequence.
import * as z from "zod";
import { MrmsLayer, mrmsPreamble } from "./manifest.ts";
import { Instant, RetentionClass, Sequence } from "./primitives.ts";

export const MrmsHistoryFrame = z
  .object({
    observedAt: Instant,
    revisionId: z.string().exactOptional(),
    sequence: Sequence.exactOptional(),
    layers: z.array(MrmsLayer),
  })
  .meta({ id: "MrmsHistoryFrame" });
export type MrmsHistoryFrame = z.infer<typeof MrmsHistoryFrame>;

export const MrmsHistory = z
  .object({
    ...mrmsPreamble,
    eventLabel: z.string().exactOptional(),
    frames: z.array(MrmsHistoryFrame),
    generatedAt: Instant,
    latestSequence: Sequence.exactOptional(),
    retentionClass: RetentionClass.exactOptional(),
  })
  .meta({ id: "MrmsHistory" });
export type MrmsHistory = z.infer<typeof MrmsHistory>;

export const historyLimit = { min: 2, max: 360, default: 24 } as const;

const limitRule = `limit must be a whole number from ${historyLimit.min} to ${historyLimit.max}`;

/** `limit` of the revisions list as query text: decimal digits only. */
export const HistoryLimitQuery = z
  .string()
  .regex(/^\d{1,6}$/, limitRule)
  .transform(Number)
  .pipe(z.int().min(historyLimit.min, limitRule).max(historyLimit.max, limitRule));
