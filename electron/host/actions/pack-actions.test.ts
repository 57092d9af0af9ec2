import { beforeEach, describe, expect, test, vi } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import { actions as contract } from "../../../shared/contract/actions.ts";
import type { Pack } from "../../../shared/contract/packs.ts";
import { createMemoryKeeper, type SecretKeeper } from "../config/secrets.ts";
import { createPackActions, type PackParts, type PackRecord } from "./pack-actions.ts";
import { TaskBoard, type TaskReport } from "./task-board.ts";

const nowMs = Date.UTC(2026, 10, 21);
const secret = `art_v1_${"5e".repeat(20)}`;
const token = `${secret}?expires=${nowMs / 1_000 + 3_600}`;
const address = "https://desk.example/git/events/iowa.git";

const record: PackRecord = {
  eventId: "iowa",
  label: "Iowa",
  origin: "got",
  latestSequence: 3,
  exportedSequence: 3,
  commit: "a".repeat(40),
  shared: null,
  gotFrom: { address, lastGotAt: null },
};

/** Work that a test moves by hand; `requests` is what it was begun with. */
function createWork<Result>() {
  const { promise: ended, resolve, reject } = Promise.withResolvers<Result>();
  const requests: unknown[] = [];
  let report: TaskReport | undefined;
  const begin = (request: unknown, given: TaskReport) => {
    requests.push(request);
    report = given;
    return Promise.resolve({ ended });
  };
  return { begin, requests, report: () => report!, resolve, reject };
}

function setUp(secrets: SecretKeeper = createMemoryKeeper()) {
  const log = vi.fn();
  const board = new TaskBoard(log);
  const getting = createWork<{ eventId: string; message: string }>();
  const gettingAgain = createWork<{ eventId: string; message: string }>();
  const pushing = createWork<string>();
  const writing = createWork<string>();
  const unshare = vi.fn(() => Promise.resolve());
  const parts: PackParts = {
    board,
    secrets,
    now: () => new Date(nowMs),
    findEvent: (id) =>
      Promise.resolve(
        id === "iowa" || id === "empty"
          ? { id, label: id, latestSequence: id === "iowa" ? 3 : 0 }
          : undefined,
      ),
    listRevisions: () => Promise.resolve([]),
    readHosting: () =>
      Promise.resolve({ listener: { status: "off" }, git: { status: "found", version: "2.39.5" } }),
    switchHosting: (on) =>
      Promise.resolve({
        listener: on ? { status: "on", address: "http://127.0.0.1:47801" } : { status: "off" },
        git: { status: "found", version: "2.39.5" },
      }),
    readLan: () => Promise.resolve({ status: "off" }),
    switchLan: () => Promise.resolve({ status: "failed", problem: "The port is taken." }),
    listPacks: () => Promise.resolve([record]),
    beginShare: writing.begin,
    unshare,
    invite: () => Promise.resolve({ address, token, expiresAt: new Date(nowMs).toISOString() }),
    beginGet: getting.begin,
    beginGetAgain: gettingAgain.begin,
    beginPush: pushing.begin,
    beginExport: writing.begin,
  };
  const actions = createPackActions(parts);
  const firstPack = async (): Promise<Pack> => (await actions["packs.list"]({})).packs[0]!;
  return { actions, board, firstPack, getting, gettingAgain, pushing, writing, unshare, log };
}

describe("getting a pack", () => {
  let all: ReturnType<typeof setUp>;
  beforeEach(() => {
    all = setUp();
  });

  test("is a task about no event until the pack says which it is", async () => {
    const { actions, getting, board } = all;
    const task = await actions["packs.get"]({ address, token });
    expect(task).toMatchObject({ kind: "pack-get", eventId: null, state: "running" });
    getting.report().claim("iowa");
    expect(board.list()[0]).toMatchObject({ eventId: "iowa" });
    expect(() => {
      getting.report().claim("ohio");
    }).toThrow(AppError);
  });

  test("from what is no address of a pack makes no task", async () => {
    const { actions, board, getting } = all;
    for (const wrong of ["http://desk.example/iowa.git", "iowa", `${address}#sha256=short`]) {
      await expect(actions["packs.get"]({ address: wrong })).rejects.toMatchObject({ code: "invalid-input" });
      const request = { eventId: "iowa", address: wrong, token };
      await expect(actions["packs.push"](request)).rejects.toMatchObject({ code: "invalid-input" });
    }
    expect(board.list()).toEqual([]);
    expect(getting.requests).toEqual([]);
  });

  test("is refused an event that another task writes to", async () => {
    const { actions, getting, board } = all;
    const { promise, resolve } = Promise.withResolvers<string>();
    const begin = () => Promise.resolve({ ended: promise });
    await board.start({ kind: "replay", eventId: "iowa", message: "", begin });
    await actions["packs.get"]({ address });
    expect(() => {
      getting.report().claim("iowa");
    }).toThrow(expect.objectContaining({ code: "conflict" }));
    resolve("");
  });

  test("keeps the token for getting again only once the pack was got", async () => {
    const { actions, getting, gettingAgain, firstPack, board } = all;
    await actions["packs.get"]({ address, token });
    getting.report().claim("iowa");
    expect((await firstPack()).gotFrom?.hasToken).toBe(false);
    getting.resolve({ eventId: "iowa", message: "3 revisions." });
    await expect.poll(() => board.list()[0]).toMatchObject({ state: "done", message: "3 revisions." });
    expect((await firstPack()).gotFrom?.hasToken).toBe(true);
    await actions["packs.getAgain"]({ eventId: "iowa" });
    expect(gettingAgain.requests).toEqual([{ eventId: "iowa", token }]);
  });

  test("keeps no token when it fails", async () => {
    const { actions, getting, firstPack, board } = all;
    await actions["packs.get"]({ address, token });
    getting.reject(new AppError("source-invalid", "pack.json is damaged."));
    await expect
      .poll(() => board.list()[0])
      .toMatchObject({ state: "failed", message: "pack.json is damaged." });
    expect((await firstPack()).gotFrom?.hasToken).toBe(false);
  });

  test("again, with a token that has expired, says so and forgets it", async () => {
    const secrets = createMemoryKeeper();
    const { actions, firstPack, gettingAgain } = setUp(secrets);
    await secrets.save("pack:iowa", `${secret}?expires=${nowMs / 1_000}`);
    expect((await firstPack()).gotFrom?.hasToken).toBe(false);
    await expect(actions["packs.getAgain"]({ eventId: "iowa" })).rejects.toMatchObject({ code: "conflict" });
    expect(await secrets.find("pack:iowa")).toBeUndefined();
    expect(gettingAgain.requests).toEqual([]);
  });

  test("again asks without the token once that was forgotten", async () => {
    const secrets = createMemoryKeeper();
    const { actions, firstPack, gettingAgain } = setUp(secrets);
    await secrets.save("pack:iowa", token);
    await secrets.save("pack:ohio", token);
    expect((await firstPack()).gotFrom?.hasToken).toBe(true);
    expect(await actions["packs.forgetToken"]({ eventId: "iowa" })).toEqual({ eventId: "iowa" });
    expect((await firstPack()).gotFrom?.hasToken).toBe(false);
    expect(await secrets.find("pack:ohio")).toBe(token);
    await actions["packs.getAgain"]({ eventId: "iowa" });
    expect(gettingAgain.requests).toEqual([{ eventId: "iowa", token: undefined }]);
  });

  test("is done also where the system's keychain refuses the token, and says that it was not kept", async () => {
    const refuse = () => Promise.reject(new AppError("storage-failed", "The keychain is locked."));
    const { actions, getting, board } = setUp({ ...createMemoryKeeper(), save: refuse });
    await actions["packs.get"]({ address, token });
    getting.resolve({ eventId: "iowa", message: "3 revisions." });
    await expect.poll(() => board.list()[0]?.message).toMatch(/^3 revisions\. The token could not be kept/);
  });
});

describe("a token", () => {
  test("is in no list, task or log, whatever the work says", async () => {
    const { actions, getting, pushing, board, log } = setUp();
    await actions["packs.get"]({ address, token });
    getting.report().say(`Asked with ${token}.`);
    expect(board.list()[0]?.message).toBe("Asked with [token].");
    getting.reject(new Error(`401 for Basic ${secret}`));
    await actions["packs.push"]({ eventId: "iowa", address, token });
    pushing.reject(new AppError("upstream-unavailable", `The other side refused ${secret}.`));
    await expect.poll(() => board.list().map(({ state }) => state)).toEqual(["failed", "failed"]);
    expect(board.list()[0]?.message).toBe("The other side refused [token].");
    const told = JSON.stringify([board.list(), await actions["packs.list"]({}), log.mock.calls]);
    expect(told).not.toContain(secret);
    expect(log).toHaveBeenCalled();
  });

  test.each([
    ["in the user's place", `https://x:${token}@desk.example/git/events/iowa.git`],
    ["in the path", `https://desk.example/${secret}/iowa.git`],
  ])("is refused in an address, %s, without being repeated", (_where, withToken) => {
    const { error } = contract["packs.get"].input.safeParse({ address: withToken });
    expect(error?.issues).toHaveLength(1);
    expect(JSON.stringify(error)).not.toContain(secret);
  });

  test("may end in a line break, as it does when it was copied, and in nothing else that is unseen", () => {
    const { input } = contract["packs.get"];
    expect(input.parse({ address: ` ${address}\n`, token: `${token}\r\n` })).toEqual({ address, token });
    for (const wrong of ["", "two words", "a\nb", "ü"]) {
      expect(input.safeParse({ address, token: wrong }).success).toBe(false);
    }
  });
});

describe("handing on", () => {
  test("is refused for an unknown event and for one without a revision", async () => {
    const { actions, writing } = setUp();
    await expect(actions["packs.share"]({ eventId: "ohio" })).rejects.toMatchObject({ code: "not-found" });
    await expect(actions["packs.export"]({ eventId: "empty" })).rejects.toMatchObject({ code: "conflict" });
    expect(writing.requests).toEqual([]);
  });

  test("goes on while the event is filled, but one task at a time writes its pack", async () => {
    const { actions, board, unshare } = setUp();
    const { promise, resolve } = Promise.withResolvers<string>();
    const begin = () => Promise.resolve({ ended: promise });
    await board.start({ kind: "fetch", eventId: "iowa", message: "", begin });
    expect(await actions["packs.share"]({ eventId: "iowa" })).toMatchObject({ kind: "pack-share" });
    await expect(actions["packs.export"]({ eventId: "iowa" })).rejects.toMatchObject({ code: "conflict" });
    await expect(actions["packs.unshare"]({ eventId: "iowa" })).rejects.toMatchObject({ code: "conflict" });
    expect(unshare).not.toHaveBeenCalled();
    resolve("");
  });
});

test("hosting and LAN sharing answer with their new state", async () => {
  const { actions } = setUp();
  expect(await actions["hosting.switch"]({ on: true })).toMatchObject({
    listener: { status: "on", address: "http://127.0.0.1:47801" },
  });
  expect(await actions["lan.switch"]({ on: true })).toEqual({
    status: "failed",
    problem: "The port is taken.",
  });
});
