// Tells the person what became of files that were added, and shows their event.
import type { AddFilesResult } from "../../../shared/contract/desktop.ts";
import type { ViewerStore } from "../store.ts";

/** `goTo` chooses the event, now or once it is listed. */
export function tellAddedFiles(
  store: ViewerStore,
  { chosen, files, eventId }: AddFilesResult,
  goTo: (eventId: string) => void,
): void {
  if (!chosen) return;
  const { setActionNote } = store.getState();
  const failed = files.flatMap((file) => (file.status === "failed" ? [file] : []));
  const [first] = failed;
  if (files.length === 0) {
    setActionNote({ tone: "bad", text: "No GRIB2 file was found there." });
  } else if (first !== undefined) {
    const text = `${failed.length} of ${files.length} files could not be added. ${first.file}: ${first.error}`;
    setActionNote({ tone: "bad", text });
  } else {
    setActionNote({
      tone: "good",
      text: `${files.length} ${files.length === 1 ? "file was" : "files were"} added.`,
    });
    goTo(eventId);
  }
}
