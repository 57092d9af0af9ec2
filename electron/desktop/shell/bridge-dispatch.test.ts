import { expect, test, vi } from "vitest";
import { createBridgeDispatch, type CallSender } from "./bridge-dispatch.ts";

const ownOrigin = "http://127.0.0.1:47800";
const us: CallSender = { origin: ownOrigin, isMainFrame: true, isOwnWindow: true };

function setUp() {
  const dispatch = vi.fn(() => Promise.resolve({ ok: "done" }));
  const report = vi.fn();
  return { dispatch, report, call: createBridgeDispatch({ ownOrigin, dispatch, report }) };
}

test("our page's call reaches the action unchanged", async () => {
  const { call, dispatch } = setUp();
  expect(await call("files.add", us, { choose: "files" })).toEqual({ ok: "done" });
  expect(dispatch).toHaveBeenCalledExactlyOnceWith("files.add", { choose: "files" });
});

test.each<[string, Partial<CallSender>]>([
  ["a frame of another origin", { origin: "http://127.0.0.1:47801" }],
  ["a frame with an opaque origin", { origin: "null" }],
  ["a frame that is gone", { origin: undefined }],
  ["a frame inside our page", { isMainFrame: false }],
  ["another window", { isOwnWindow: false }],
])("%s is refused before anything runs", async (_who, difference) => {
  const { call, dispatch, report } = setUp();
  const outcome = await call("files.add", { ...us, ...difference }, { choose: "files" });
  expect(outcome).toEqual({
    problem: { code: "refused", detail: "This page may not use the desktop bridge." },
  });
  expect(dispatch).not.toHaveBeenCalled();
  expect(report).toHaveBeenCalledOnce();
});
