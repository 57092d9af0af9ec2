import { beforeEach, describe, expect, test } from "vitest";
import { stepOf } from "../../../shared/views/support/example-steps.ts";
import type { PageChannel } from "../../platform/page-channel.ts";
import { toPresenterChannel, type PresenterState } from "./presenter-messages.ts";
import { sendPictures } from "./presenter-pictures.ts";
import { startPresenter, type PresenterSession } from "./presenter-session.ts";
import { createPageChannels } from "./support/page-channels.ts";

const state: PresenterState = {
  kind: "state",
  steps: [stepOf("a"), stepOf("b")],
  current: 0,
  nextSwath: [],
  reading: null,
  frozen: { sequence: 23, publishedAt: "2026-05-20T21:46:10Z" },
  waiting: [],
  black: false,
  picture: null,
  differences: [],
  startedAtMs: 0,
  screen: { widthPx: 1920, heightPx: 1080 },
};

let projector: PageChannel;
let pictures: { close: () => void };
let commands: unknown[];
let session: PresenterSession;
let tick: () => void;

beforeEach(() => {
  const openChannel = createPageChannels();
  commands = [];
  projector = openChannel(toPresenterChannel("show"), (message) => commands.push(message));
  pictures = sendPictures({
    ...{ showId: "show", openChannel, now: () => 0 },
    take: () => Promise.resolve(undefined),
  });
  session = startPresenter({
    ...{ showId: "show", openChannel },
    repeat: (callback) => {
      tick = callback;
      return () => (tick = () => undefined);
    },
  });
});

const view = () => session.store.getState();

describe("the presenter's window", () => {
  test("asks for the state, and shows the last one that was posted", () => {
    expect(commands).toContainEqual({ command: "hello" });
    expect(view()).toMatchObject({ link: "asking", projector: undefined });
    projector.post(state);
    projector.post({ ...state, current: 1 });
    expect(view()).toMatchObject({ link: "here", projector: { current: 1 } });
  });

  test("ignores other messages than a projector's, and commands before there is a projector", () => {
    session.press("next");
    projector.post({ kind: "state", steps: "x" });
    projector.post({ ...state, frozen: { sequence: 23, publishedAt: "yesterday" } });
    projector.post(undefined);
    expect(view().projector).toBeUndefined();
    expect(commands).not.toContainEqual({ command: "next" });
  });

  test("sends commands at once, except those that it asks about first", () => {
    projector.post(state);
    commands.length = 0;
    for (const given of ["next", "back", "black"] as const) session.press(given);
    session.goTo(1);
    expect(commands).toEqual([
      { command: "next" },
      { command: "back" },
      { command: "black" },
      { command: "goTo", step: 1 },
    ]);
  });

  test.each([
    ["freeze", "unfreeze"],
    ["leave", "leave"],
  ] as const)("asks before %s; the same key answers, and every other takes it back", (key, command) => {
    projector.post(state);
    commands.length = 0;
    session.press(key);
    expect(view().asking).toBe(command);
    session.press("next");
    expect([view().asking, commands]).toEqual([undefined, []]);
    session.press(key);
    session.stay();
    session.press(key);
    session.press(key);
    expect([view().asking, commands]).toEqual([undefined, [{ command }]]);
  });

  test("freezes a picture that follows the newest without a question", () => {
    projector.post({ ...state, frozen: null });
    commands.length = 0;
    session.press("freeze");
    expect([view().asking, commands]).toEqual([undefined, [{ command: "freeze" }]]);
  });

  test("says when the briefing has ended, and keeps its notes", () => {
    projector.post(state);
    projector.post({ kind: "end" });
    expect(view()).toMatchObject({ link: "ended", projector: { steps: state.steps } });
    commands.length = 0;
    session.press("next");
    expect(commands).toEqual([]);
  });

  test("stays with an ended briefing until the next one begins", () => {
    projector.post(state);
    projector.post({ kind: "end" });
    pictures.close();
    for (let question = 0; question < 4; question += 1) tick();
    expect(view().link).toBe("ended");
    projector.post({ ...state, current: 1 });
    expect(view()).toMatchObject({ link: "here", projector: { current: 1 } });
  });

  test("waits for a briefing that has not begun", () => {
    pictures.close();
    for (let question = 0; question < 4; question += 1) tick();
    expect(view().link).toBe("asking");
  });

  test("says when the projector is lost, and comes back with it", () => {
    projector.post(state);
    pictures.close();
    session.press("leave");
    for (let question = 0; question < 4; question += 1) tick();
    expect(view()).toMatchObject({ link: "lost", asking: undefined });
    projector.post({ ...state, current: 1 });
    expect(view()).toMatchObject({ link: "here", projector: { current: 1 } });
  });
});
