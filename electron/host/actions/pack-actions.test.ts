import { beforeEach, describe, expect, test, vi } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import { actions as contract } from "../../../shared/contract/actions.ts";
import type { Pack } from "../../../shared/contract/packs.ts";
import { createMemoryKeeper, type SecretKeeper } from "../config/secrets.ts";
import type { PackOutcome, PackRecord, PackWorkOptions } from "../../sharing/packs/sharing-types.ts";
import { createPackActions, type PackActionParts } from "./pack-actions.ts";
import { TaskBoard } from "./task-board.ts";

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

const got: PackOutcome = { event: "iowa", commit: "a".repeat(40), status: "complete" };

/** A fake of one sharing method; `requests` holds its arguments except for the last. */
function createWork() {
  const { promise, resolve, reject } = Promise.withResolvers<PackOutcome>();
  const requests: unknown[] = [];
  let options: PackWorkOptions | undefined;
  const run = (...args: readonly unknown[]): Promise<PackOutcome> => {
    requests.push(args.slice(0, -1));
    options = args.at(-1) as PackWorkOptions;
    return promise;
  };
  return { run, requests, options: () => options as Required<PackWorkOptions>, resolve, reject };
}

function setUp(secrets: SecretKeeper = createMemoryKeeper()) {
  const log = vi.fn();
  const board = new TaskBoard(log);
  const getting = createWork();
  const gettingAgain = createWork();
  const pushing = createWork();
  const writing = createWork();
  const unshare = vi.fn(() => Promise.resolve());
  const git = { status: "found", version: "2.39.5" } as const;
  const parts: PackActionParts = {
    board,
    secrets,
    now: () => new Date(nowMs),
    catalog: {
      findEvent: (id) =>
        Promise.resolve(
          id === "iowa" || id === "empty"
            ? { id, label: id, latestSequence: id === "iowa" ? 3 : 0 }
            : undefined,
        ),
      listRevisions: () => Promise.resolve([]),
    },
    hosting: {
      read: () => Promise.resolve({ listener: { status: "off" }, git }),
      switchHosting: (on) =>
        Promise.resolve({
          listener: on ? { status: "on", address: "http://127.0.0.1:47801" } : { status: "off" },
          git,
        }),
      readLan: () => ({ status: "off" }),
      switchLan: () => Promise.resolve({ status: "failed", problem: "The port is taken." }),
    },
    sharing: {
      list: () => Promise.resolve([record]),
      share: writing.run,
      unshare,
      invite: () => Promise.resolve({ address, token, expiresAt: new Date(nowMs).toISOString() }),
      get: getting.run,
      getAgain: gettingAgain.run,
      push: pushing.run,
      export: writing.run,
    },
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

  test("is a task without an event until the pack names one", async () => {
    const { actions, getting, board } = all;
    const task = await actions["packs.get"]({ address, token });
    expect(task).toMatchObject({ kind: "pack-get", eventId: null, state: "running" });
    getting.options().onEvent("iowa");
    expect(board.list()[0]).toMatchObject({ eventId: "iowa" });
    expect(() => {
      getting.options().onEvent("ohio");
    }).toThrow(AppError);
  });

  test("from an invalid address starts no task", async () => {
    const { actions, board, getting } = all;
    for (const wrong of ["http://desk.example/iowa.git", "iowa", `${address}#sha256=short`]) {
      await expect(actions["packs.get"]({ address: wrong })).rejects.toMatchObject({ code: "invalid-input" });
      const request = { eventId: "iowa", address: wrong, token };
      await expect(actions["packs.push"](request)).rejects.toMatchObject({ code: "invalid-input" });
    }
    expect(board.list()).toEqual([]);
    expect(getting.requests).toEqual([]);
  });

  test("is refused for an event that another task writes to", async () => {
    const { actions, getting, board } = all;
    const { promise, resolve } = Promise.withResolvers<string>();
    const begin = () => Promise.resolve({ ended: promise });
    await board.start({ kind: "replay", eventId: "iowa", message: "", begin });
    await actions["packs.get"]({ address });
    expect(() => {
      getting.options().onEvent("iowa");
    }).toThrow(expect.objectContaining({ code: "conflict" }));
    resolve("");
  });

  test("stores the token for the next time once the pack has arrived", async () => {
    const { actions, getting, gettingAgain, firstPack, board } = all;
    await actions["packs.get"]({ address, token });
    getting.options().onEvent("iowa");
    expect((await firstPack()).gotFrom?.hasToken).toBe(false);
    getting.resolve(got);
    await expect
      .poll(() => board.list()[0])
      .toMatchObject({ state: "done", message: "The whole pack is here." });
    expect((await firstPack()).gotFrom?.hasToken).toBe(true);
    await actions["packs.getAgain"]({ eventId: "iowa" });
    expect(gettingAgain.requests).toEqual([["iowa", token]]);
  });

  test("stores no token if it fails", async () => {
    const { actions, getting, firstPack, board } = all;
    await actions["packs.get"]({ address, token });
    getting.reject(new AppError("source-invalid", "pack.json is damaged."));
    await expect
      .poll(() => board.list()[0])
      .toMatchObject({ state: "failed", message: "pack.json is damaged." });
    expect((await firstPack()).gotFrom?.hasToken).toBe(false);
  });

  test("reports an expired token and forgets it", async () => {
    const secrets = createMemoryKeeper();
    const { actions, firstPack, gettingAgain } = setUp(secrets);
    await secrets.save("pack:iowa", `${secret}?expires=${nowMs / 1_000}`);
    expect((await firstPack()).gotFrom?.hasToken).toBe(false);
    await expect(actions["packs.getAgain"]({ eventId: "iowa" })).rejects.toMatchObject({ code: "conflict" });
    expect(await secrets.find("pack:iowa")).toBeUndefined();
    expect(gettingAgain.requests).toEqual([]);
  });

  test("sends no token after it was forgotten", async () => {
    const secrets = createMemoryKeeper();
    const { actions, firstPack, gettingAgain } = setUp(secrets);
    await secrets.save("pack:iowa", token);
    await secrets.save("pack:ohio", token);
    expect((await firstPack()).gotFrom?.hasToken).toBe(true);
    expect(await actions["packs.forgetToken"]({ eventId: "iowa" })).toEqual({ eventId: "iowa" });
    expect((await firstPack()).gotFrom?.hasToken).toBe(false);
    expect(await secrets.find("pack:ohio")).toBe(token);
    await actions["packs.getAgain"]({ eventId: "iowa" });
    expect(gettingAgain.requests).toEqual([["iowa", undefined]]);
  });

  test("ends as done if the keychain refuses the token, and reports that", async () => {
    const refuse = () => Promise.reject(new AppError("storage-failed", "The keychain is locked."));
    const { actions, getting, board } = setUp({ ...createMemoryKeeper(), save: refuse });
    await actions["packs.get"]({ address, token });
    getting.resolve(got);
    await expect
      .poll(() => board.list()[0]?.message)
      .toMatch(/^The whole pack is here\. The token could not be stored/);
  });
});

describe("a token", () => {
  test("appears in no list, task or log", async () => {
    const { actions, getting, pushing, board, log } = setUp();
    await actions["packs.get"]({ address, token });
    getting.reject(new Error(`401 for Basic ${secret}`));
    await actions["packs.push"]({ eventId: "iowa", address, token });
    pushing.reject(new AppError("upstream-unavailable", `The remote refused ${secret}.`));
    await expect.poll(() => board.list().map(({ state }) => state)).toEqual(["failed", "failed"]);
    expect(board.list()[0]?.message).toBe("The remote refused [token].");
    const told = JSON.stringify([board.list(), await actions["packs.list"]({}), log.mock.calls]);
    expect(told).not.toContain(secret);
    expect(log).toHaveBeenCalled();
  });

  test.each([
    ["as a user", `https://x:${token}@desk.example/git/events/iowa.git`],
    ["in the path", `https://desk.example/${secret}/iowa.git`],
  ])("is refused in an address, %s, and not repeated", (_where, withToken) => {
    const { error } = contract["packs.get"].input.safeParse({ address: withToken });
    expect(error?.issues).toHaveLength(1);
    expect(JSON.stringify(error)).not.toContain(secret);
  });

  test("may end in a line break, as copied text does, but contain no other space", () => {
    const { input } = contract["packs.get"];
    expect(input.parse({ address: ` ${address}\n`, token: `${token}\r\n` })).toEqual({ address, token });
    for (const wrong of ["", "two words", "a\nb", "ü"]) {
      expect(input.safeParse({ address, token: wrong }).success).toBe(false);
    }
  });
});

describe("sharing", () => {
  test("an unknown event, or one without a revision, cannot be shared", async () => {
    const { actions, writing } = setUp();
    await expect(actions["packs.share"]({ eventId: "ohio" })).rejects.toMatchObject({ code: "not-found" });
    await expect(actions["packs.export"]({ eventId: "empty" })).rejects.toMatchObject({ code: "conflict" });
    expect(writing.requests).toEqual([]);
  });

  test("an event can be shared while it is filled, but one task at a time writes its pack", async () => {
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

test("hosting and LAN sharing return their new state", async () => {
  const { actions } = setUp();
  expect(await actions["hosting.switch"]({ on: true })).toMatchObject({
    listener: { status: "on", address: "http://127.0.0.1:47801" },
  });
  expect(await actions["lan.switch"]({ on: true })).toEqual({
    status: "failed",
    problem: "The port is taken.",
  });
});

test.each([
  ["complete", /shared; invite/],
  ["up to date", /has everything/],
] as const)("sharing that ends as %s reports that", async (status, sentence) => {
  const { actions, board, writing } = setUp();
  await actions["packs.share"]({ eventId: "iowa" });
  writing.resolve({ ...got, status });
  await expect.poll(() => board.list()[0]?.message).toMatch(sentence);
  expect(board.list()[0]?.state).toBe("done");
});

test("getting a pack reports the progress of both stages, and stops with its task", async () => {
  const { actions, board, getting } = setUp();
  const { id } = await actions["packs.get"]({ address });
  expect(getting.requests).toEqual([[{ address, token: undefined }]]);
  const { onProgress, onEvent, signal } = getting.options();
  onProgress(2, 4);
  onEvent("iowa");
  expect(board.list()[0]).toMatchObject({ eventId: "iowa", progress: { done: 25, total: 100 } });
  onProgress(4, 4);
  onProgress(0, 9);
  expect(board.list()[0]).toMatchObject({ progress: { done: 50, total: 100 } });
  getting.resolve(got);
  await board.stop(id);
  expect(signal.aborted).toBe(true);
});
