// What an ingest tells its caller: one result a file, and how far it is.
import type { ProductId } from "../../../shared/contract/primitives.ts";

interface FileFacts {
  /** As the user gave it, or below the folder as the user gave that. */
  readonly file: string;
  readonly product: ProductId;
  readonly observedAt: string;
}

export type FileResult =
  | (FileFacts & { readonly status: "complete"; readonly revisionId: string; readonly sequence: number })
  | (FileFacts & { readonly status: "unchanged" })
  | {
      readonly file: string;
      /** Null where neither header nor file name tells it, or where it is none of ours. */
      readonly product: ProductId | null;
      readonly observedAt: string | null;
      readonly status: "failed";
      /** A line that names the file without its folder. */
      readonly error: string;
    };

export interface Reporter {
  report(result: FileResult): void;
  /** Says how many files there are. */
  expect(total: number): void;
}

export function createReporter(
  onFile: (result: FileResult) => void,
  onProgress: (done: number, total: number) => void,
): Reporter {
  let done = 0;
  let expected = 0;
  return {
    report(result) {
      done += 1;
      onFile(result);
      onProgress(done, Math.max(done, expected));
    },
    expect(total) {
      expected = total;
      onProgress(done, total);
    },
  };
}
