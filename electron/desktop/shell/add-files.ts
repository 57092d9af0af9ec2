// The action "add files": asks the person for GRIB2 files or a folder, hands them to the host's ingest, and tells the
// window how far it is. It knows the dialog and the ingest only as functions.
import { basename } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import type {
  AddedFile,
  AddFilesInput,
  AddFilesResult,
  FilesProgress,
} from "../../../shared/contract/desktop.ts";

/** Files that a person adds without naming an event go here. */
export const addedFilesEventId = "added-files";
export const addedFilesLabel = "Added files";

export interface IngestRequest {
  readonly eventId: string;
  /** Said only when the event may have to be created. */
  readonly label: string | undefined;
  readonly paths: readonly string[];
  /** Called once a file, in the order in which files are finished. */
  readonly onFile: (file: AddedFile) => void;
  /** How many of the files that were found are done. */
  readonly onProgress: (doneCount: number, totalCount: number) => void;
}

export interface AddFilesOptions {
  /** Paths that the person chose; empty when they closed the dialog. */
  readonly choose: (what: AddFilesInput["choose"]) => Promise<readonly string[]>;
  readonly ingest: (request: IngestRequest) => Promise<void>;
  readonly tell: (progress: FilesProgress) => void;
}

/** One ingest at a time: a second call meanwhile is a `conflict`. */
export function createAddFiles({ choose, ingest, tell }: AddFilesOptions) {
  let isBusy = false;

  const run = async (input: AddFilesInput): Promise<AddFilesResult> => {
    const eventId = input.eventId ?? addedFilesEventId;
    const paths = await choose(input.choose);
    const files: AddedFile[] = [];
    if (paths.length === 0) return { chosen: false, eventId, files };
    let doneCount = 0;
    let totalCount = 0;
    tell({ eventId, doneCount, totalCount, isFinished: false });
    try {
      await ingest({
        eventId,
        label: input.eventId === undefined ? addedFilesLabel : undefined,
        paths,
        onFile: (file) => {
          const named = { ...file, file: basename(file.file) };
          files.push(named);
          tell({ eventId, doneCount, totalCount, latest: named, isFinished: false });
        },
        onProgress: (done, total) => {
          doneCount = done;
          totalCount = total;
          tell({ eventId, doneCount, totalCount, isFinished: false });
        },
      });
    } finally {
      tell({ eventId, doneCount, totalCount, isFinished: true });
    }
    return { chosen: true, eventId, files };
  };

  return async (input: AddFilesInput): Promise<AddFilesResult> => {
    if (isBusy) throw new AppError("conflict", "Files are being added already; wait until that is done.");
    isBusy = true;
    try {
      return await run(input);
    } finally {
      isBusy = false;
    }
  };
}
