// The action "add files": asks for GRIB2 files or a folder, ingests them, and reports progress to the window.
import { basename } from "node:path";
import { AppError } from "../../../shared/app-error.ts";
import type {
  AddedFile,
  AddFilesInput,
  AddFilesResult,
  FilesProgress,
} from "../../../shared/contract/desktop.ts";

/** Event of files that are added without one. */
export const addedFilesEventId = "added-files";
export const addedFilesLabel = "Added files";

export interface IngestRequest {
  readonly eventId: string;
  /** Given only if the event may not exist yet. */
  readonly label: string | undefined;
  readonly paths: readonly string[];
  /** Called once for each file, in the order of completion. */
  readonly onFile: (file: AddedFile) => void;
  /** Counts of finished and of found files. */
  readonly onProgress: (doneCount: number, totalCount: number) => void;
}

export interface AddFilesOptions {
  /** Resolves with the chosen paths; empty if the dialog was closed. */
  readonly choose: (what: AddFilesInput["choose"]) => Promise<readonly string[]>;
  readonly ingest: (request: IngestRequest) => Promise<void>;
  readonly tell: (progress: FilesProgress) => void;
}

/** A second call while files are being added throws `conflict`. Paths that are given are not asked for. */
export function createAddFiles({ choose, ingest, tell }: AddFilesOptions) {
  let isBusy = false;

  const run = async (input: AddFilesInput, given: readonly string[] | undefined): Promise<AddFilesResult> => {
    const eventId = input.eventId ?? addedFilesEventId;
    const paths = given ?? (await choose(input.choose));
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

  return async (input: AddFilesInput, given?: readonly string[]): Promise<AddFilesResult> => {
    if (isBusy) throw new AppError("conflict", "Files are already being added; wait until they are done.");
    isBusy = true;
    try {
      return await run(input, given);
    } finally {
      isBusy = false;
    }
  };
}
