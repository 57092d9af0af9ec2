// The messages between the page on the projector and the presenter's window, over a channel of the browser. The
// projector leads: it posts its whole state after each change; the window posts commands and draws nothing on its own.
import * as z from "zod";
import { Bounds, Instant } from "../../../shared/contract/primitives.ts";
import { publicationKinds } from "../../../shared/revisions/publication.ts";
import { BriefingStep } from "../../../shared/views/briefing-steps.ts";

/** Returns the name of a show's channel; several windows of one viewer may show at once. */
export function toPresenterChannel(showId: string): string {
  return `echotop-briefing-${showId}`;
}

/** A revision that was published after the picture was frozen. */
const WaitingRevision = z.object({
  sequence: z.int(),
  observedAt: Instant,
  /** Null until it is known. */
  publishedAt: Instant.nullable(),
  /** True if it corrects or completes the observation window on the projector. */
  isOfShown: z.boolean(),
});

/** Facts of the picture on the projector. */
const PictureFacts = z.object({
  eventLabel: z.string(),
  sequence: z.int(),
  observedAt: Instant,
  publishedAt: Instant.nullable(),
  /** Effect of its publication, and the revision that it replaces or completes, if any. */
  change: z.enum(publicationKinds),
  supersedes: z.int().nullable(),
});

const SwathFrame = z.object({ imageUrl: z.string(), bounds: Bounds });

/** The state of the projector. */
export const PresenterState = z.object({
  kind: z.literal("state"),
  steps: z.array(BriefingStep),
  /** Index of the step on the projector. */
  current: z.int().min(0),
  /** Frames of the next step's largest so far; empty if it shows none, or if it cannot be known yet. */
  nextSwath: z.array(SwathFrame),
  /** Index of the step that is being read; null if the wanted one is on the projector. */
  reading: z.int().min(0).nullable(),
  /** Null while the picture follows the newest. */
  frozen: z.object({ sequence: z.int(), publishedAt: Instant.nullable() }).nullable(),
  /** In the order of publication. */
  waiting: z.array(WaitingRevision),
  black: z.boolean(),
  /** Null until a picture is on the projector. */
  picture: PictureFacts.nullable(),
  /** Sentences that say how the picture differs from the recorded step. */
  differences: z.array(z.string()),
  /** Milliseconds since the Unix epoch. */
  startedAtMs: z.number(),
  screen: z.object({ widthPx: z.number(), heightPx: z.number() }),
});
export type PresenterState = z.infer<typeof PresenterState>;

/** Message of the projector; `end` when the briefing was left. */
export const ProjectorMessage = z.discriminatedUnion("kind", [
  PresenterState,
  z.object({ kind: z.literal("end") }),
]);
export type ProjectorMessage = z.infer<typeof ProjectorMessage>;

/** Message of the presenter's window. It asks itself before `unfreeze` and `leave`; `hello` wants the state again. */
export const PresenterCommand = z.discriminatedUnion("command", [
  z.object({
    command: z.enum(["hello", "next", "back", "black", "freeze", "unfreeze", "leave"]),
  }),
  z.object({ command: z.literal("goTo"), step: z.int().min(0) }),
]);
export type PresenterCommand = z.infer<typeof PresenterCommand>;
