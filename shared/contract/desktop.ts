// Desktop-only actions: add files through the system's dialogs, and describe the application.
import * as z from "zod";
import { EventId, Instant, ProductId, Sequence } from "./primitives.ts";

export const AppInfo = z.object({
  name: z.string(),
  version: z.string(),
  /** `process.platform` of the machine. */
  platform: z.string(),
  electronVersion: z.string(),
  chromiumVersion: z.string(),
  nodeVersion: z.string(),
  /** Last part of the data directory's path; the full path stays on this machine. */
  dataDirectoryName: z.string(),
});
export type AppInfo = z.infer<typeof AppInfo>;

/** Input of the system's dialog. `eventId` is the target; by default, the event of added files. */
export const AddFilesInput = z.strictObject({
  choose: z.enum(["files", "folder"]),
  eventId: EventId.exactOptional(),
});
export type AddFilesInput = z.infer<typeof AddFilesInput>;

/** Result of one file. `file` is its base name. */
export const AddedFile = z.discriminatedUnion("status", [
  z.object({
    file: z.string(),
    status: z.enum(["complete", "unchanged"]),
    product: ProductId,
    observedAt: Instant,
    sequence: Sequence.optional(),
  }),
  z.object({ file: z.string(), status: z.literal("failed"), error: z.string() }),
]);
export type AddedFile = z.infer<typeof AddedFile>;

/** `chosen` is false if the person canceled the dialog; `files` is then empty. */
export const AddFilesResult = z.object({ chosen: z.boolean(), eventId: EventId, files: z.array(AddedFile) });
export type AddFilesResult = z.infer<typeof AddFilesResult>;

/** Progress of an ingest. `totalCount` is 0 while files are still being found. */
export const FilesProgress = z.object({
  eventId: EventId,
  doneCount: z.int().min(0),
  totalCount: z.int().min(0),
  /** The file that this message reports as finished. */
  latest: AddedFile.optional(),
  isFinished: z.boolean(),
});
export type FilesProgress = z.infer<typeof FilesProgress>;

/** Names what the page should read again: `opened.take` or `updates.read`. */
export const DesktopNews = z.enum(["opened", "updates"]);
export type DesktopNews = z.infer<typeof DesktopNews>;

/** Something that a person opened with Echotop from outside: a link, a view file, or what cannot be opened. */
export const Opened = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("link"), text: z.string() }),
  /** Text of a view file, not parsed yet. */
  z.object({ kind: z.literal("view"), text: z.string() }),
  /** One sentence that says why nothing was opened. */
  z.object({ kind: z.literal("refused"), sentence: z.string() }),
  z.object({ kind: z.literal("files"), result: AddFilesResult }),
]);
export type Opened = z.infer<typeof Opened>;

export const UpdateMode = z.enum(["off", "notify", "install"]);
export type UpdateMode = z.infer<typeof UpdateMode>;

/** State of updates. `ready` is installed when Echotop quits; nothing is installed in any other state. */
export const UpdateState = z.discriminatedUnion("step", [
  z.object({ step: z.literal("unknown") }),
  z.object({ step: z.literal("checking") }),
  z.object({ step: z.literal("current") }),
  /** `canInstall` is false where the system's package manager installs. */
  z.object({ step: z.literal("available"), version: z.string(), canInstall: z.boolean() }),
  z.object({ step: z.literal("downloading"), version: z.string() }),
  z.object({ step: z.literal("ready"), version: z.string() }),
  z.object({ step: z.literal("failed"), sentence: z.string() }),
]);
export type UpdateState = z.infer<typeof UpdateState>;

/** A desktop notification; shown only while the window is in the background. */
export const NotificationInput = z.strictObject({
  title: z.string().min(1).max(80),
  body: z.string().max(200),
});
export type NotificationInput = z.infer<typeof NotificationInput>;

/** Input of `notifications.hold`: true in front of an audience. */
export const HoldInput = z.strictObject({ on: z.boolean() });
export type HoldInput = z.infer<typeof HoldInput>;
