// The progress of an ingest: a message to the page, and the bar on the task bar or dock.
import type { BrowserWindow } from "electron";
import { filesProgressChannel } from "../../../shared/contract/action-names.ts";
import type { FilesProgress } from "../../../shared/contract/desktop.ts";

/** Electron shows a value above 1 as indeterminate; a negative one removes the bar. */
const indeterminate = 2;
const noBar = -1;

export function showProgress(window: BrowserWindow, progress: FilesProgress): void {
  window.webContents.send(filesProgressChannel, progress);
  window.setProgressBar(toBarValue(progress));
}

export function toBarValue({ doneCount, totalCount, isFinished }: FilesProgress): number {
  if (isFinished) return noBar;
  return totalCount === 0 ? indeterminate : doneCount / totalCount;
}
