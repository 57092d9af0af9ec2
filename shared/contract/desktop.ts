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
