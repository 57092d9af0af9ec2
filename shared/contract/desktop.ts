// Schemas of what only the desktop can do: add files through the system's dialogs, and describe the application.
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
  /** The last part of the data directory's path: enough to tell two apart, and no path of this machine. */
  dataDirectoryName: z.string(),
});
export type AppInfo = z.infer<typeof AppInfo>;

/** Opens the system's dialog. `eventId` is where the files go; without it, into the event of added files. */
export const AddFilesInput = z.strictObject({
  choose: z.enum(["files", "folder"]),
  eventId: EventId.exactOptional(),
});
export type AddFilesInput = z.infer<typeof AddFilesInput>;

/** What became of one file. `file` is its base name. */
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

/** `chosen` is false when the person closed the dialog without choosing; then `files` is empty. */
export const AddFilesResult = z.object({ chosen: z.boolean(), eventId: EventId, files: z.array(AddedFile) });
export type AddFilesResult = z.infer<typeof AddFilesResult>;

/** Sent while an ingest runs: `doneCount` of `totalCount` files (0 while the files are still being found). */
export const FilesProgress = z.object({
  eventId: EventId,
  doneCount: z.int().min(0),
  totalCount: z.int().min(0),
  /** The file that was just finished, in the message that tells of it. */
  latest: AddedFile.optional(),
  isFinished: z.boolean(),
});
export type FilesProgress = z.infer<typeof FilesProgress>;
