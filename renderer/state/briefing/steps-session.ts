// The steps of the chosen event over the life of the page: read when the panel opens, kept after each change. One save
// runs at a time, and a change made meanwhile is saved after it.
import type { BriefingSteps } from "../../../shared/views/briefing-steps.ts";
import { noSteps, type BriefingStore, type Keeping } from "./briefing-store.ts";
import type { Steps } from "./steps-edit.ts";
import type { SaveOutcome, StepsKeeper } from "./steps-keeper.ts";

export interface StepsSession {
  /** Reads the steps of an event, unless they are on screen already. */
  readonly follow: (eventId: string | undefined) => void;
  readonly change: (edit: (steps: Steps) => Steps) => void;
  /** Settles a conflict: shows the stored steps, or replaces them with those on screen. */
  readonly settle: (kept: "stored" | "mine") => Promise<void>;
  /** Reads the steps again, or tries again to save them. */
  readonly retry: () => void;
}

export function startSteps(store: BriefingStore, keeper: StepsKeeper): StepsSession {
  /** Version that an event's steps on screen are based on. */
  const versions = new Map<string, number>();
  let pending: BriefingSteps | undefined;
  let isSaving = false;
  /** Counts the reads: the person may be back at an event before its first read has ended. */
  let reads = 0;

  const isStill = (eventId: string): boolean => store.getState().eventId === eventId;

  async function load(eventId: string): Promise<void> {
    reads += 1;
    const read = reads;
    store.setState({ eventId, ...noSteps });
    try {
      const { version, document } = await keeper.load(eventId);
      if (read !== reads) return;
      versions.set(eventId, version);
      store.setState({ phase: "ready", steps: document.steps });
    } catch {
      if (read === reads) store.setState({ phase: "failed" });
    }
  }

  async function save(): Promise<void> {
    const { eventId, steps } = store.getState();
    if (eventId === undefined) return;
    pending = { format: "echotop-steps", version: 1, eventId, steps: [...steps] };
    if (isSaving) return;
    isSaving = true;
    while (pending) {
      const document: BriefingSteps = pending;
      pending = undefined;
      store.setState({ keeping: { kind: "keeping" } });
      const saved = await keeper.save(document, versions.get(document.eventId) ?? 0);
      if ("version" in saved) versions.set(document.eventId, saved.version);
      if (isStill(document.eventId)) store.setState({ keeping: toKeeping(saved) });
    }
    isSaving = false;
  }

  return {
    follow: (eventId) => {
      if (eventId === undefined) {
        reads += 1;
        store.setState({ eventId, ...noSteps });
      } else if (!isStill(eventId)) void load(eventId);
    },
    change: (edit) => {
      const { steps, phase, keeping } = store.getState();
      const next = edit(steps);
      if (phase !== "ready" || next === steps) return;
      store.setState({ steps: next });
      // The person decides first which of the two lists remains.
      if (keeping.kind !== "conflict") void save();
    },
    settle: async (kept) => {
      const { eventId } = store.getState();
      if (eventId === undefined) return;
      if (kept === "stored") return load(eventId);
      const read = reads;
      try {
        const { version } = await keeper.load(eventId);
        // Meanwhile the person may have gone to another event, whose steps are still being read.
        if (read !== reads) return;
        versions.set(eventId, version);
      } catch {
        return;
      }
      return save();
    },
    retry: () => {
      const { eventId, phase } = store.getState();
      if (eventId === undefined) return;
      if (phase === "failed") void load(eventId);
      else void save();
    },
  };
}

function toKeeping(saved: SaveOutcome): Keeping {
  if ("version" in saved) return { kind: "kept" };
  return saved.problem === "conflict" ? { kind: "conflict" } : { kind: "failed", problem: saved.detail };
}
