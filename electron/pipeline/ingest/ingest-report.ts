// The results of an ingest, one for each file, and its progress.
import type { ProductId } from "../../../shared/contract/primitives.ts";

interface FileFacts {
  /** The path as the user gave it, or below a folder as the user gave it. */
  readonly file: string;
  readonly product: ProductId;
  readonly observedAt: string;
}

export type FileResult =
  | (FileFacts & { readonly status: "complete"; readonly revisionId: string; readonly sequence: number })
  | (FileFacts & { readonly status: "unchanged" })
  | {
      readonly file: string;
      /** Null if neither header nor name tells it, or if the viewer does not draw it. */
      readonly product: ProductId | null;
      readonly observedAt: string | null;
      readonly status: "failed";
      /** One line that names the file without its folder. */
      readonly error: string;
    };

export interface Reporter {
  report(result: FileResult): void;
  /** Sets the number of files. */
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
