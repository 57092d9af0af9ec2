import { describe, expect, test, vi } from "vitest";
import type { BriefingStep } from "../../../shared/views/briefing-steps.ts";
import { examplePane, exampleRevision, exampleView } from "../../../shared/views/support/any-view.ts";
import { longestStepWaitMs } from "../../platform/viewer-limits.ts";
import {
  exampleEventId,
  exampleHistory,
  exampleStore,
  steadyFrames,
  type ExampleFrame,
} from "../../support/example-data.ts";
import { createPanesStore } from "../panes/pane-store.ts";
import { selectWantedSequence } from "../timeline/playhead.ts";
import type { ViewerStore } from "../store.ts";
import { createBriefingStore } from "./briefing-store.ts";
import { findPublication, findWaiting } from "./freezing.ts";
import { linkPresenter } from "./presenter-link.ts";
import { PresenterState, ProjectorMessage } from "./presenter-messages.ts";
import { startProjector } from "./projector.ts";
import type { Show } from "./show.ts";

/** Returns a step that shows one revision of the example event. */
function stepAt(sequence: number): BriefingStep {
  const pane = {
    ...examplePane,
    event: { ...examplePane.event, id: exampleEventId },
    revision: { ...exampleRevision, sequence },
  };
  return {
    ...{ id: `s${sequence}`, title: `Revision ${sequence}`, notes: "" },
    view: { ...exampleView, panes: [pane] },
  };
}

function setFrames(store: ViewerStore, sequences: readonly number[]): void {
  const layers = store
    .getState()
    .history.all.filter(({ sequence }) => sequences.includes(sequence))
    .flatMap((revision) => revision.layers);
  for (const { imageUrl } of layers) store.getState().receiveFrameStates({ [imageUrl]: { status: "ready" } });
}

/** Starts a show of revisions 2, 3 and 4 among these; a step is opened by going to its revision. */
function startExample({
  frames = steadyFrames(5),
  knownAt,
}: { frames?: ExampleFrame[]; knownAt?: number } = {}) {
  const store = exampleStore(frames);
  if (knownAt !== undefined) store.getState().setKnownAt(knownAt);
  const panes = createPanesStore({
    ...{ letter: "A", store },
    followPublished: () => () => undefined,
    retry: () => undefined,
  });
  const briefing = createBriefingStore();
  const late: (() => void)[] = [];
  const onEnd = vi.fn();
  const projector = startProjector({
    ...{ briefing, store, panes, onEnd, nowMs: 0 },
    steps: [2, 3, 4].map(stepAt),
    schedule: (delayMs, callback) => {
      expect(delayMs).toBe(longestStepWaitMs);
      late.push(callback);
      return () => undefined;
    },
    open: ({ panes: [pane] }) => {
      store.getState().backToNow();
      store.getState().goTo(pane!.revision!.sequence);
      return Promise.resolve([]);
    },
  });
  const findShow = (): Show => briefing.getState().show!;
  return {
    store,
    briefing,
    projector,
    findShow,
    late,
    onEnd,
    wanted: () => selectWantedSequence(store.getState()),
  };
}

function publish(store: ViewerStore, frames: readonly ExampleFrame[]): void {
  store.getState().receiveHistory(exampleEventId, exampleHistory(frames));
}

const more: ExampleFrame[] = [
  ...steadyFrames(5),
  { sequence: 6, minute: 2, variant: "b" },
  { sequence: 7, minute: 10 },
];

describe("a frozen picture", () => {
  test("stays as it is while revisions arrive, which are counted", async () => {
    const { store, findShow, wanted } = startExample();
    await Promise.resolve();
    const revisions = store.getState().history.revisions;
    publish(store, more);
    expect(wanted()).toBe(2);
    expect(store.getState().history.revisions).toEqual(revisions);
    expect(findPublication(store.getState())).toMatchObject({ kind: "new", supersedes: undefined });
    expect(findWaiting(store.getState(), findShow().frozen).map(({ sequence }) => sequence)).toEqual([6, 7]);
  });

  test("jumps to the newest when it is unfrozen, and follows until it is frozen again", () => {
    const { store, projector, findShow, wanted } = startExample();
    publish(store, more);
    projector.command("freeze");
    expect(findShow()).toMatchObject({ asking: "unfreeze", frozen: { [exampleEventId]: 5 } });
    expect(wanted()).toBe(2);
    projector.command("freeze");
    expect(wanted()).toBe(7);
    projector.command("freeze");
    publish(store, [...more, { sequence: 8, minute: 12 }]);
    expect(wanted()).toBe(7);
    expect(findShow().frozen).toEqual({ [exampleEventId]: 7 });
  });

  test("begins where the person looks, but shows every step's own revision", () => {
    expect(startExample({ knownAt: 4 }).findShow().frozen).toEqual({ [exampleEventId]: 4 });
    const early = startExample({ knownAt: 2 });
    expect(early.findShow().frozen).toEqual({ [exampleEventId]: 4 });
  });
});

describe("a step", () => {
  test("is on the projector once its frames are read, and until then the earlier one stays", async () => {
    const { store, projector, findShow, wanted } = startExample();
    await vi.waitFor(() => {
      expect(store.getState().warmFrames).toHaveLength(2);
    });
    projector.command("next");
    expect(findShow()).toMatchObject({ current: 0, wanted: 1 });
    expect(wanted()).toBe(2);
    setFrames(store, [3]);
    expect(findShow()).toMatchObject({ current: 1, wanted: 1 });
    await vi.waitFor(() => {
      expect(wanted()).toBe(3);
    });
  });

  test("is opened without its frames after a while", async () => {
    const { projector, findShow, late, store } = startExample();
    await vi.waitFor(() => {
      expect(store.getState().warmFrames).toHaveLength(2);
    });
    projector.command("next");
    expect(late).toHaveLength(1);
    late[0]!();
    expect(findShow().current).toBe(1);
  });

  test("has its frames read while the one before is shown", async () => {
    const { store } = startExample();
    await vi.waitFor(() => {
      expect(store.getState().warmFrames).toHaveLength(2);
    });
    const next = store.getState().history.all[2]!.layers.map(({ imageUrl }) => imageUrl);
    expect(store.getState().warmFrames.map(({ imageUrl }) => imageUrl)).toEqual(next);
  });
});

test("leaving ends the show and unfreezes the viewer's arrivals", () => {
  const { store, projector, briefing, onEnd } = startExample();
  projector.command("leave");
  expect(briefing.getState().show?.asking).toBe("leave");
  projector.command("leave");
  expect(briefing.getState().show).toBeUndefined();
  expect(onEnd).toHaveBeenCalledOnce();
  store.getState().backToNow();
  publish(store, more);
  expect(store.getState().history.revisions).toHaveLength(7);
});

test("a presenter's window hears the state after each change, and commands the projector", () => {
  const { store, projector, briefing, findShow } = startExample();
  const posted: ProjectorMessage[] = [];
  let command: (message: unknown) => void = () => undefined;
  const unlink = linkPresenter({
    ...{ showId: "x", briefing, store, projector },
    openChannel: (name, onMessage) => {
      expect(name).toBe("echotop-briefing-x");
      command = onMessage;
      return {
        post: (message) => posted.push(ProjectorMessage.parse(message)),
        close: () => undefined,
      };
    },
    findScreen: () => ({ widthPx: 1920, heightPx: 1080 }),
  });
  const latest = (): PresenterState => PresenterState.parse(posted.at(-1));
  publish(store, more);
  expect(latest()).toMatchObject({ current: 0, reading: null, frozen: { sequence: 5 }, black: false });
  expect(latest().waiting).toMatchObject([
    { sequence: 6, isOfShown: true },
    { sequence: 7, isOfShown: false },
  ]);
  command({ command: "black" });
  expect(latest().black).toBe(true);
  command({ command: "unfreeze" });
  expect(latest()).toMatchObject({ frozen: null, waiting: [] });
  command({ command: "goTo", step: 2 });
  expect(findShow().wanted).toBe(2);
  const count = posted.length;
  command({ command: "format the disk" });
  expect(posted).toHaveLength(count);
  command({ command: "leave" });
  expect(briefing.getState().show).toBeUndefined();
  unlink();
  expect(posted.at(-1)).toEqual({ kind: "end" });
});
