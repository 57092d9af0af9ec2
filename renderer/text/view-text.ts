// Words for citable views: the note on the map, and the name of a file.
import type { CitableView } from "../../shared/views/citable-view.ts";
import { viewFileExtension } from "../../shared/views/view-file.ts";
import type { OpenedView } from "../state/slices/view-slice.ts";

export interface ViewNoteWords {
  readonly title: string;
  readonly words: string;
}

export function toViewNote(opened: OpenedView): ViewNoteWords {
  if (opened.phase === "refused") return { title: "Not opened", words: `${opened.message} (${opened.code})` };
  if (opened.phase === "opening") return { title: "Opening a view", words: opened.label };
  const { differences, follow, isHere } = opened;
  if (!isHere) return { title: "Not opened", words: "Nothing on screen was changed." };
  if (differences.length === 0) {
    const words = follow === "newest" ? "Follows the newest revision." : "Exactly the revisions of the view.";
    return { title: `View of ${opened.label}`, words };
  }
  const isSame = differences.every(({ kind }) => kind === "revision-replaced");
  return {
    title: `View of ${opened.label}`,
    words: isSame ? "Exactly the revisions of the view." : "Not all of it is as it was:",
  };
}

/** Returns `echotop-demonstration-rev32.echotop-view`. */
export function toViewFileName({ panes }: CitableView): string {
  const parts = panes.map(({ event, revision }) =>
    revision ? `${event.id}-rev${revision.sequence}` : event.id,
  );
  return `echotop-${[...new Set(parts)].join("-")}`.slice(0, 120) + viewFileExtension;
}
