import { expect, test, vi } from "vitest";
import { AppError } from "../../shared/app-error.ts";
import type { AddFilesInput } from "../../shared/contract/desktop.ts";
import { createDispatch, type CallSender } from "./dispatch.ts";

const ownOrigin = "http://127.0.0.1:47800";
const us: CallSender = { origin: ownOrigin, isMainFrame: true, isOwnWindow: true };

const info = {
  name: "Echotop",
  version: "0.1.0",
  platform: "linux",
  electronVersion: "45.4.1",
  chromiumVersion: "156",
  nodeVersion: "24",
  dataDirectoryName: "echotop",
};

function setUp() {
  const addFiles = vi.fn(({ eventId }: AddFilesInput) =>
    Promise.resolve({ chosen: true, eventId: eventId ?? "added-files", files: [] }),
  );
  const report = vi.fn();
  const handlers = { "app.info": () => Promise.resolve(info), "files.add": addFiles };
  return { addFiles, report, dispatch: createDispatch({ ownOrigin, handlers, report }) };
}

test("our own page gets the handler's result", async () => {
  const { dispatch } = setUp();
  expect(await dispatch("app.info", us, {})).toEqual({ ok: info });
});

test.each<[string, Partial<CallSender>]>([
  ["a frame of another origin", { origin: "http://127.0.0.1:47801" }],
  ["a frame with an opaque origin", { origin: "null" }],
  ["a frame that is gone", { origin: undefined }],
  ["a frame inside our page", { isMainFrame: false }],
  ["another window", { isOwnWindow: false }],
])("%s is refused before anything runs", async (_who, difference) => {
  const { dispatch, addFiles, report } = setUp();
  const outcome = await dispatch("files.add", { ...us, ...difference }, { choose: "files" });
  expect(outcome).toEqual({
    problem: { code: "refused", detail: "This page may not use the desktop bridge." },
  });
  expect(addFiles).not.toHaveBeenCalled();
  expect(report).toHaveBeenCalledOnce();
});

test.each([
  [undefined, ""],
  [null, ""],
  ["files", ""],
  [{}, " at choose"],
  [{ choose: "disk" }, " at choose"],
  [{ choose: "files", eventId: "../x" }, " at eventId"],
  [{ choose: "files", path: "/etc/passwd" }, ""],
])("arguments %j never reach the handler", async (input, where) => {
  const { dispatch, addFiles } = setUp();
  expect(await dispatch("files.add", us, input)).toEqual({
    problem: { code: "invalid-input", detail: `The arguments of files.add are not what it takes${where}.` },
  });
  expect(addFiles).not.toHaveBeenCalled();
});

test("the handler gets exactly what the schema made", async () => {
  const { dispatch, addFiles } = setUp();
  await dispatch("files.add", us, { choose: "folder", eventId: "plains-2024" });
  expect(addFiles).toHaveBeenCalledExactlyOnceWith({ choose: "folder", eventId: "plains-2024" });
});

test("an error for people crosses as its code and sentence, without context", async () => {
  const { dispatch, addFiles } = setUp();
  addFiles.mockRejectedValueOnce(
    new AppError("conflict", "It is archived.", { context: { path: "/secret" } }),
  );
  expect(await dispatch("files.add", us, { choose: "files" })).toEqual({
    problem: { code: "conflict", detail: "It is archived." },
  });
});

test("any other error says nothing of itself to the page and everything to the log", async () => {
  const { dispatch, addFiles, report } = setUp();
  addFiles.mockRejectedValueOnce(new Error("ENOENT: /home/somebody/x"));
  const outcome = await dispatch("files.add", us, { choose: "files" });
  expect(JSON.stringify(outcome)).not.toContain("somebody");
  expect(outcome).toMatchObject({ problem: { code: "unexpected" } });
  expect(JSON.stringify(report.mock.calls)).toContain("somebody");
});
