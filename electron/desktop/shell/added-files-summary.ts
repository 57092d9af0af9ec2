// The dialog after files were added from the menu: one sentence, and the reasons for failures.
import type { AddFilesResult } from "../../../shared/contract/desktop.ts";

export interface Summary {
  readonly tone: "info" | "warning" | "error";
  readonly message: string;
  readonly detail: string;
}

/** Most reasons in the dialog; the rest are counted. */
const shownReasons = 8;

/** Returns undefined if no dialog is needed: the file dialog was closed, or every file is on the map. */
export function summarize(result: AddFilesResult): Summary | undefined {
  if (!result.chosen) return undefined;
  if (result.files.length === 0) {
    return { tone: "warning", message: "No GRIB2 file was found there.", detail: "" };
  }
  const failures = result.files.filter((file) => file.status === "failed");
  if (failures.length === 0) {
    const isNews = result.files.some((file) => file.status === "complete");
    return isNews
      ? undefined
      : { tone: "info", message: "Nothing new: every file is already there.", detail: "" };
  }
  const reasons = failures.slice(0, shownReasons).map(({ file, error }) => `${file}: ${error}`);
  const rest = failures.length - reasons.length;
  return {
    tone: "warning",
    message: `${failures.length} of ${result.files.length} ${result.files.length === 1 ? "file" : "files"} could not be added.`,
    detail: [...reasons, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n"),
  };
}
