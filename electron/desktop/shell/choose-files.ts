// The system's own dialog for GRIB2 files or a folder of them.
import type { BrowserWindow, Dialog, OpenDialogOptions } from "electron";
import type { AddFilesInput } from "../../../shared/contract/desktop.ts";

// Windows and Linux show either a file chooser or a folder chooser, never one that takes both: hence two entries.
const dialogs: Readonly<Record<AddFilesInput["choose"], OpenDialogOptions>> = {
  files: {
    title: "Add MRMS files",
    buttonLabel: "Add",
    properties: ["openFile", "multiSelections"],
    filters: [
      { name: "MRMS GRIB2 files", extensions: ["grib2", "grb2", "gz"] },
      { name: "All files", extensions: ["*"] },
    ],
  },
  folder: { title: "Add a folder of MRMS files", buttonLabel: "Add", properties: ["openDirectory"] },
};

/** Absolute paths; empty when the person closed the dialog or there is no window to ask in. */
export async function chooseFiles(
  dialog: Pick<Dialog, "showOpenDialog">,
  window: BrowserWindow | undefined,
  what: AddFilesInput["choose"],
): Promise<readonly string[]> {
  if (window === undefined) return [];
  const { canceled, filePaths } = await dialog.showOpenDialog(window, dialogs[what]);
  return canceled ? [] : filePaths;
}
