// The steps of a briefing: saved views with a title for the audience and notes for the presenter. One document belongs
// to one event; it is stored beside the event and travels in its pack.
import * as z from "zod";
import { AppError } from "../app-error.ts";
import { EventId, Instant } from "../contract/primitives.ts";
import { CitableView } from "./citable-view.ts";

export const stepLimits = {
  steps: 100,
  titleLength: 120,
  notesLength: 4_000,
  /** UTF-8 JSON of the whole document. */
  documentBytes: 512 * 1024,
} as const;

/** Control characters, lone surrogates, line separators, and marks that turn the direction of the text around them. */
const hiddenCharacters = String.raw`\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069`;

/** One line. It is shown to the audience, and becomes the caption of published pages. */
export const StepTitle = z
  .string()
  .max(stepLimits.titleLength, `A title must not exceed ${stepLimits.titleLength} characters`)
  .regex(/\S/, "A title must not be empty")
  .regex(new RegExp(`^[^${hiddenCharacters}]*$`, "u"), "A title must be one line of visible text");

/** Lines for the presenter alone; empty if there are none. */
export const StepNotes = z
  .string()
  .max(stepLimits.notesLength, "Notes must not exceed 4,000 characters")
  .regex(new RegExp(`^(?:[\\n\\t]|[^${hiddenCharacters}])*$`, "u"), "Notes must be plain text");

export const BriefingStep = z.strictObject({
  /** Unique in its document; stays the same when steps are reordered. */
  id: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
  title: StepTitle,
  notes: StepNotes,
  view: CitableView,
});
export type BriefingStep = z.infer<typeof BriefingStep>;

export const BriefingSteps = z
  .strictObject({
    format: z.literal("echotop-steps"),
    version: z.literal(1),
    eventId: EventId,
    /** In the order of the talk. */
    steps: z
      .array(BriefingStep)
      .max(stepLimits.steps, `A briefing must not have more than ${stepLimits.steps} steps`),
  })
  .refine(({ steps }) => new Set(steps.map(({ id }) => id)).size === steps.length, {
    path: ["steps"],
    message: "Two steps must not have the same id",
  })
  .refine((document) => byteLengthOf(document) <= stepLimits.documentBytes, {
    path: ["steps"],
    message: "The steps must not exceed 512 KiB together",
  });
export type BriefingSteps = z.infer<typeof BriefingSteps>;

/** An event's steps as they are stored. */
export const StoredSteps = z
  .object({
    /** Rises with every change; 0 if nothing was stored. */
    version: z.int().min(0),
    changedAt: Instant.nullable(),
    document: BriefingSteps,
  })
  .meta({ id: "StoredSteps" });
export type StoredSteps = z.infer<typeof StoredSteps>;

/** Replaces the steps of an event. `basedOn` is the version that the person saw; another one is refused. */
export const SaveStepsInput = z.strictObject({ document: BriefingSteps, basedOn: z.int().min(0) });
export type SaveStepsInput = z.infer<typeof SaveStepsInput>;

/** Version and instant of a save. */
export const SavedSteps = StoredSteps.omit({ document: true });
export type SavedSteps = z.infer<typeof SavedSteps>;

export function noSteps(eventId: string): BriefingSteps {
  return { format: "echotop-steps", version: 1, eventId, steps: [] };
}

/** Parses steps as the catalog stores them. @throws AppError `stored-data-invalid` */
export function parseStoredSteps(document: string): BriefingSteps {
  try {
    return BriefingSteps.parse(JSON.parse(document));
  } catch (error) {
    throw new AppError("stored-data-invalid", "The steps of this briefing are damaged.", { cause: error });
  }
}

/** Counts the bytes of UTF-8: this folder may use neither a browser's nor Node's encoder. */
function byteLengthOf(document: unknown): number {
  return encodeURIComponent(JSON.stringify(document)).replaceAll(/%[0-9A-F]{2}/g, "b").length;
}
