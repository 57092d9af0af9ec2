// The desktop app's part of the viewer: opens links and files from the system, follows updates, and notifies of work
// that ended while the person looked elsewhere.
import type {
  AddFilesResult,
  DesktopNews,
  NotificationInput,
  Opened,
} from "../../../shared/contract/desktop.ts";
import type { ActionCarrier } from "../../api/action-client.ts";
import type { BriefingStore } from "../briefing/briefing-store.ts";
import { isUnderWay } from "../slices/tasks-slice.ts";
import type { ViewerState, ViewerStore } from "../store.ts";

export interface DesktopSessionParts {
  readonly store: ViewerStore;
  /** No notification appears and nothing is opened while it has a show. */
  readonly briefing: BriefingStore;
  readonly carrier: ActionCarrier;
  readonly onNews: (listener: (news: DesktopNews) => void) => () => void;
  /** Opens a link to a view, or the text of a view file. */
  readonly openText: (text: string) => Promise<void>;
  readonly tellAddedFiles: (result: AddFilesResult) => void;
}

/** Also takes what was opened before the page was there. Returns the function that ends it. */
export function startDesktopSession(parts: DesktopSessionParts): () => void {
  const { store, briefing, carrier, onNews } = parts;
  const read: Readonly<Record<DesktopNews, () => Promise<void>>> = {
    opened: async () => {
      // In front of an audience nothing else comes on the screen; what was opened waits.
      if (briefing.getState().isScreenTaken) return;
      const taken = await carrier("opened.take", {});
      if ("ok" in taken) for (const one of taken.ok.opened) await show(parts, one);
    },
    updates: async () => {
      const update = await carrier("updates.read", {});
      if ("ok" in update) store.getState().receiveUpdate(update.ok);
    },
  };
  const stops = [
    onNews((news) => void read[news]()),
    store.subscribe((state, previous) => {
      for (const ended of listEnded(state, previous)) void carrier("notifications.show", ended);
    }),
    briefing.subscribe((state, previous) => {
      const on = state.show !== undefined;
      if (on !== (previous.show !== undefined)) void carrier("notifications.hold", { on });
      if (previous.isScreenTaken && !state.isScreenTaken) void read.opened();
    }),
  ];
  void read.updates();
  void read.opened();
  return () => {
    for (const stop of stops) stop();
  };
}

async function show({ store, openText, tellAddedFiles }: DesktopSessionParts, opened: Opened): Promise<void> {
  switch (opened.kind) {
    case "refused":
      store.getState().tellOpenedView({ phase: "refused", code: "view-invalid", message: opened.sentence });
      return;
    case "files":
      tellAddedFiles(opened.result);
      return;
    case "link":
    case "view":
      await openText(opened.text);
  }
}

type Work = Pick<ViewerState, "tasks" | "loopOutcome" | "addingFiles" | "events">;

/** Returns the work that ended between two states. */
export function listEnded(state: Work, previous: Work): NotificationInput[] {
  const { tasks, loopOutcome, addingFiles } = state;
  const ended: NotificationInput[] = [];
  if (tasks !== previous.tasks) {
    const running = new Set(previous.tasks.filter(isUnderWay).map(({ id }) => id));
    for (const task of tasks) {
      // A person stopped the others.
      if (!running.has(task.id) || !(task.state === "done" || task.state === "failed")) continue;
      const label = state.events.list.find(({ id }) => id === task.eventId)?.label;
      ended.push(toNotification(label ?? "Echotop", task.message));
    }
  }
  if (loopOutcome !== undefined && loopOutcome !== previous.loopOutcome) {
    ended.push(
      loopOutcome.kind === "saved"
        ? toNotification("Loop saved", loopOutcome.fileName)
        : toNotification("The loop could not be saved", loopOutcome.problem),
    );
  }
  if (addingFiles === undefined && previous.addingFiles !== undefined) {
    const { done } = previous.addingFiles;
    ended.push(toNotification("Files added", `${done} ${done === 1 ? "file was" : "files were"} read.`));
  }
  return ended;
}

function toNotification(title: string, body: string): NotificationInput {
  return { title: title.slice(0, 80), body: body.slice(0, 200) };
}
