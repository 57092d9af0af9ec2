import { expect, test, vi } from "vitest";
import type { SharingOutcome, SharingPart } from "./sharing-work.ts";
import { toSharingWork } from "./sharing-work.ts";
import { TaskBoard } from "./task-board.ts";

const outcome: SharingOutcome = { event: "iowa", commit: "a".repeat(40), status: "complete" };

function setUp(status: SharingOutcome["status"] = "complete") {
  const work = vi.fn(() => Promise.resolve({ ...outcome, status }));
  const { promise, resolve } = Promise.withResolvers<SharingOutcome>();
  const get = vi.fn<SharingPart["get"]>(() => promise);
  const sharing: SharingPart = {
    share: work,
    unshare: () => Promise.resolve(),
    invite: () => Promise.resolve({ address: "", token: "", expiresAt: "" }),
    get,
    getAgain: work,
    push: work,
    export: work,
    list: () => Promise.resolve([]),
  };
  return { get, resolve, sharing: toSharingWork(sharing), board: new TaskBoard(() => undefined) };
}

test.each([
  ["complete", /shared; invite/],
  ["up to date", /has everything/],
] as const)("sharing that ends %s says so", async (status, sentence) => {
  const { sharing, board } = setUp(status);
  await board.start({
    kind: "pack-share",
    eventId: "iowa",
    message: "",
    begin: (report, signal) => sharing.beginShare({ eventId: "iowa" }, report, signal),
  });
  await expect.poll(() => board.list()[0]?.message).toMatch(sentence);
  expect(board.list()[0]?.state).toBe("done");
});

test("getting a pack tells its progress and its event to the task, and ends with both", async () => {
  const { sharing, board, get, resolve } = setUp();
  let ended: Promise<unknown> | undefined;
  const { id } = await board.start({
    kind: "pack-get",
    eventId: null,
    message: "",
    begin: async (report, signal) => {
      const work = await sharing.beginGet({ address: "https://desk.example/a.git" }, report, signal);
      ended = work.ended;
      return { ended: work.ended.then(({ message }) => message) };
    },
  });
  const [place, options] = get.mock.calls[0]!;
  expect(place).toEqual({ address: "https://desk.example/a.git", token: undefined });
  options.onProgress(2, 4);
  options.onEvent("iowa");
  expect(board.list()[0]).toMatchObject({ eventId: "iowa", progress: { done: 25, total: 100 } });
  options.onProgress(4, 4);
  options.onProgress(0, 9);
  expect(board.list()[0]).toMatchObject({ progress: { done: 50, total: 100 } });
  resolve(outcome);
  await expect(ended).resolves.toMatchObject({ eventId: "iowa" });
  await board.stop(id);
  expect(options.signal.aborted).toBe(true);
});
