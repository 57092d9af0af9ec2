// Notes of a pane about the lock: how far its picture is from the lead's, or why it keeps its last one.
import type { ReactNode } from "react";
import { lagWords, missingWords } from "../../text/pane-text.ts";
import { usePanes, useViewer } from "../../viewer-context.ts";
import { usePaneFacts } from "./use-from-panes.ts";

export function LockNotes(): ReactNode {
  const { letter } = useViewer();
  const lock = usePanes((state) => state.lock);
  const active = usePanes((state) => state.active);
  const facts = usePaneFacts();
  const own = facts.find((pane) => pane.letter === letter);
  const lead = facts.find((pane) => pane.letter === active);
  if (!own || !lead?.shown) return null;
  const onset = lead.onset?.kind === "found" ? lead.onset.window : undefined;
  const missing = missingWords(own, lock);
  const lag = lagWords(lock, { revision: lead.shown, onset }, own);
  if (missing !== undefined) return <p className="note note-warning">{missing}</p>;
  return lag === undefined ? null : <p className="note">{lag}</p>;
}
