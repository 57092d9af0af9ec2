// The system's dialog for GRIB2 files or a folder of them.
import type { BrowserWindow, Dialog, OpenDialogOptions } from "electron";
import type { AddFilesInput } from "../../../shared/contract/desktop.ts";

// Windows and Linux have no dialog for both files and folders.
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

/** Resolves with absolute paths; empty if the dialog was closed or there is no window. */
export async function chooseFiles(
  dialog: Pick<Dialog, "showOpenDialog">,
  window: BrowserWindow | undefined,
  what: AddFilesInput["choose"],
): Promise<readonly string[]> {
  if (window === undefined) return [];
  const { canceled, filePaths } = await dialog.showOpenDialog(window, dialogs[what]);
  return canceled ? [] : filePaths;
}
