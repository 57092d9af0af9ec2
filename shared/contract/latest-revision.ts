// The newest revision of an event in a few bytes, for viewers that ask often: Echotop's addition to the contract.
import * as z from "zod";
import { EventId, Instant, RevisionId, Sequence } from "./primitives.ts";

export const LatestRevision = z
  .object({
    schemaVersion: z.literal(1),
    eventId: EventId,
    revisionId: RevisionId,
    sequence: Sequence,
    observedAt: Instant,
    publishedAt: Instant,
    /** Path of the revision's immutable manifest. */
    manifestUrl: z.string(),
  })
  .meta({ id: "LatestRevision" });
export type LatestRevision = z.infer<typeof LatestRevision>;
