// The viewer's actions over its life: runs them, follows the tasks that they start, and reads the health of the
// feeds. Polls only while the page is visible, and often only while a task runs.
import type { ActionName } from "../../../shared/contract/action-names.ts";
import type { ActionInput, ActionOutput } from "../../../shared/contract/actions.ts";
import type { AddFilesResult, FilesProgress } from "../../../shared/contract/desktop.ts";
import type { ActionCarrier } from "../../api/action-client.ts";
import type { StormClient } from "../../api/client.ts";
import { pollTiming } from "../../platform/viewer-limits.ts";
import { startLiveSession, type LiveSession } from "./live-session.ts";
import { startBriefingSession, startPackSession, type PanelSession } from "./panel-sessions.ts";
import { tellAddedFiles } from "./added-files.ts";
import { createFeedsReader } from "../reading/readings.ts";
import type { ViewerStore } from "../store.ts";
import { isUnderWay, mayAct } from "../slices/tasks-slice.ts";

export interface ViewerActions {
  /** Runs an action. Returns undefined on failure, which becomes the store's action note. */
  readonly act: <Name extends ActionName>(
    name: Name,
    input: ActionInput<Name>,
  ) => Promise<ActionOutput<Name> | undefined>;
  /** Runs an action that only reads; the store does not see its outcome. */
  readonly ask: ActionCarrier;
  /** Registers an event and starts its fetch. Resolves to true once the fetch has started. */
  readonly registerAndFetch: (registration: Registration, source: string | undefined) => Promise<boolean>;
  /** Starts a replay, and chooses its event once the list has it. */
  readonly replay: (input: ActionInput<"events.replay">) => Promise<void>;
  readonly live: Pick<LiveSession, "start" | "stop">;
  /** Removes an event without frames, and chooses another. */
  readonly removeEvent: (eventId: string) => Promise<void>;
  readonly addFiles: (input: ActionInput<"files.add">) => Promise<void>;
  /** Tells of files that the system handed over, and goes to their event. */
  readonly tellAddedFiles: (added: AddFilesResult) => void;
  readonly readKnownEvents: () => void;
  readonly close: () => void;
}

export type Registration = { readonly known: string } | { readonly window: ActionInput<"events.register"> };

export interface ActionSessionParts {
  readonly store: ViewerStore;
  readonly carrier: ActionCarrier;
  readonly client: Pick<StormClient, "listFeeds">;
  /** Called when an event was removed. */
  readonly forgetEvent: (eventId: string) => void;
  /** Called when the lists of events should be read again. */
  readonly onChange: () => void;
  /** Subscribes to the progress of added files; undefined without a desktop. */
  readonly onFilesProgress?: ((listener: (progress: FilesProgress) => void) => () => void) | undefined;
  readonly effects: {
    readonly now: () => number;
    readonly isPublic: boolean;
    readonly isVisible: () => boolean;
    readonly onReturn: (callback: () => void) => () => void;
  };
}

export function startActionSession(parts: ActionSessionParts): ViewerActions {
  const { store, client, effects, onChange } = parts;
  const feedsReader = createFeedsReader(store, client);
  const feeds = {
    request: () => {
      if (!effects.isPublic) feedsReader.request();
    },
  };
  const panelParts = { store, carrier: parts.carrier, isVisible: effects.isVisible };
  const panels = [startPackSession(panelParts), startBriefingSession(panelParts)];
  const act = createAct(parts, panels);
  const goTo = createGoingTo(store);
  const live = startLiveSession({
    ...panelParts,
    goTo,
    onChange: () => {
      feeds.request();
      onChange();
    },
  });
  let isReading = false;
  let lastReadMs = -Infinity;

  const readTasks = async (): Promise<void> => {
    const { access } = store.getState();
    if (isReading || !mayAct(access) || !effects.isVisible()) return;
    isReading = true;
    lastReadMs = effects.now();
    const before = store.getState().tasks.filter(isUnderWay).length;
    const listed = await parts.carrier("tasks.list", {});
    isReading = false;
    if ("problem" in listed) {
      if (listed.problem.code === "refused") store.getState().setAccess("refused");
      return;
    }
    store.getState().receiveTasks(listed.ok.tasks);
    if (listed.ok.tasks.filter(isUnderWay).length < before) onChange();
  };

  const whenSeen = (read: () => void) => () => {
    if (effects.isVisible()) read();
  };
  const timers = [
    setInterval(() => {
      const isRunning = store.getState().tasks.some(isUnderWay);
      if (isRunning || effects.now() - lastReadMs >= pollTiming.idleTasksMs) void readTasks();
    }, pollTiming.tasksMs),
    setInterval(whenSeen(feeds.request), pollTiming.feedsMs),
  ];
  const stops = [
    effects.onReturn(() => {
      feeds.request();
      live.read();
      void readTasks();
    }),
    store.subscribe((state, previous) => {
      // New revisions mean that the feed has news, too.
      if (state.history.all !== previous.history.all) whenSeen(feeds.request)();
      if (state.access !== previous.access) void readTasks();
    }),
    parts.onFilesProgress?.(({ doneCount, totalCount, isFinished }) => {
      store.getState().setAddingFiles(isFinished ? undefined : { done: doneCount, total: totalCount });
    }),
  ];
  feeds.request();
  void readTasks();

  return {
    act,
    ask: parts.carrier,
    registerAndFetch: async (registration, source) => {
      const eventId = await registerAndFetch(act, registration, source);
      if (eventId !== undefined) goTo(eventId);
      return eventId !== undefined;
    },
    replay: async (input) => {
      const task = await act("events.replay", input);
      if (task?.eventId) goTo(task.eventId);
    },
    removeEvent: async (eventId) => {
      if (await act("events.remove", { eventId })) parts.forgetEvent(eventId);
    },
    addFiles: async (input) => {
      const added = await act("files.add", input);
      if (added) tellAddedFiles(store, added, store.getState().chooseEvent);
    },
    tellAddedFiles: (added) => {
      tellAddedFiles(store, added, goTo);
      onChange();
    },
    live,
    readKnownEvents: () => void readKnownEvents(parts),
    close: () => {
      timers.forEach(clearInterval);
      for (const stop of stops) stop?.();
      feedsReader.close();
      live.close();
      for (const panel of panels) panel.close();
    },
  };
}

type Act = ViewerActions["act"];

function createAct({ store, carrier, onChange }: ActionSessionParts, panels: readonly PanelSession[]): Act {
  return async (name, input) => {
    store.getState().setActionNote(undefined);
    const outcome = await carrier(name, input);
    if ("problem" in outcome) {
      const { code, detail } = outcome.problem;
      if (code === "refused") store.getState().setAccess("refused");
      store.getState().setActionNote({ tone: "bad", text: detail });
      return undefined;
    }
    const { ok } = outcome;
    if ("progress" in ok) store.getState().receiveTask(ok);
    for (const panel of panels) panel.note(name, ok);
    onChange();
    return ok;
  };
}

/** Returns a function that chooses an event now, or once it is listed; the last call wins. */
function createGoingTo(store: ViewerStore): (eventId: string) => void {
  let stop: (() => void) | undefined;
  return (eventId) => {
    stop?.();
    const choose = (): boolean => {
      const { events, chooseEvent } = store.getState();
      if (!events.list.some(({ id }) => id === eventId)) return false;
      chooseEvent(eventId);
      return true;
    };
    if (choose()) return;
    stop = store.subscribe(() => {
      if (choose()) stop?.();
    });
  };
}

async function registerAndFetch(
  act: Act,
  registration: Registration,
  source: string | undefined,
): Promise<string | undefined> {
  const registered =
    "known" in registration
      ? await act("events.registerKnown", { name: registration.known })
      : await act("events.register", registration.window);
  if (registered === undefined) return undefined;
  const { eventId } = registered;
  const task = await act("events.fetch", { eventId, ...(source !== undefined && { source }) });
  return task && eventId;
}

async function readKnownEvents({ store, carrier }: ActionSessionParts): Promise<void> {
  const listed = await carrier("events.known", {});
  if ("ok" in listed) store.getState().receiveKnownEvents(listed.ok.events);
  else store.getState().failKnownEvents();
}
