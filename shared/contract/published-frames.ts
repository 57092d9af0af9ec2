// A page of an event's revisions, with what each did and when it was published: Echotop's addition to the contract.
import * as z from "zod";
import { revisionChanges } from "../revisions/publication.ts";
import { MrmsHistory, MrmsHistoryFrame } from "./history.ts";
import { Instant, Sequence } from "./primitives.ts";

/** Effect of a revision on its window: the first one, or one that replaces, completes or comes late. */
export const RevisionChange = z.enum(revisionChanges).meta({ id: "RevisionChange" });

export const PublishedFrame = MrmsHistoryFrame.extend({
  revisionId: z.string(),
  sequence: Sequence,
  publishedAt: Instant,
  change: RevisionChange,
}).meta({ id: "PublishedFrame" });

export const RevisionPage = MrmsHistory.extend({ frames: z.array(PublishedFrame) }).meta({
  id: "RevisionPage",
});
export type RevisionPage = z.infer<typeof RevisionPage>;

export const pageLimit = { min: 1, max: 360 } as const;

const limitRule = `limit must be a whole number from ${pageLimit.min} to ${pageLimit.max}`;
const beforeRule = "before must be a sequence, a whole number from 1";

/** `limit` of a page as query text: decimal digits only. */
export const PageLimitQuery = z
  .string()
  .regex(/^\d{1,6}$/, limitRule)
  .transform(Number)
  .pipe(z.int().min(pageLimit.min, limitRule).max(pageLimit.max, limitRule));

/** `before` of a page as query text: the sequence after the page's last one. */
export const BeforeQuery = z
  .string()
  .regex(/^\d{1,15}$/, beforeRule)
  .transform(Number)
  .pipe(z.int().min(1, beforeRule));
