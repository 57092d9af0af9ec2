import { expect, test, vi } from "vitest";
import { AppError } from "../app-error.ts";
import type { ActionInput } from "../contract/actions.ts";
import type { AddFilesInput } from "../contract/desktop.ts";
import { createDispatch } from "./dispatch.ts";

function setUp() {
  const addFiles = vi.fn(({ eventId }: AddFilesInput) =>
    Promise.resolve({ chosen: true, eventId: eventId ?? "added-files", files: [] }),
  );
  const register = vi.fn(({ id }: ActionInput<"events.register">) => Promise.resolve({ eventId: id }));
  const report = vi.fn();
  const dispatch = createDispatch<"files.add" | "events.register">({
    handlers: { "files.add": addFiles, "events.register": register },
    report,
  });
  return { addFiles, register, report, dispatch };
}

const window = {
  id: "plains-2024",
  label: "Plains",
  startedAt: "2024-02-28T00:00:00Z",
  endedAt: "2024-02-28T05:00:00Z",
};

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
  expect(await dispatch("files.add", input)).toEqual({
    problem: { code: "invalid-input", detail: `The arguments of files.add are not what it takes${where}.` },
  });
  expect(addFiles).not.toHaveBeenCalled();
});

test("the handler gets exactly what the schema made, and its result goes back", async () => {
  const { dispatch, addFiles } = setUp();
  expect(await dispatch("files.add", { choose: "folder", eventId: "plains-2024" })).toEqual({
    ok: { chosen: true, eventId: "plains-2024", files: [] },
  });
  expect(addFiles).toHaveBeenCalledExactlyOnceWith({ choose: "folder", eventId: "plains-2024" });
});

test("a window that ends before it starts, or lasts for weeks, is refused in words", async () => {
  const { dispatch, register } = setUp();
  expect(await dispatch("events.register", { ...window, endedAt: window.startedAt })).toEqual({
    problem: { code: "invalid-input", detail: "The end must be after the start." },
  });
  expect(await dispatch("events.register", { ...window, endedAt: "2024-03-28T05:00:00Z" })).toEqual({
    problem: { code: "invalid-input", detail: "The window must not exceed seven days." },
  });
  expect(register).not.toHaveBeenCalled();
});

test("an AppError becomes its code and sentence, without context", async () => {
  const { dispatch, register } = setUp();
  register.mockRejectedValueOnce(
    new AppError("conflict", "It is archived.", { context: { path: "/secret" } }),
  );
  expect(await dispatch("events.register", window)).toEqual({
    problem: { code: "conflict", detail: "It is archived." },
  });
});

test("any other error goes to the log, and its details not to the caller", async () => {
  const { dispatch, register, report } = setUp();
  register.mockRejectedValueOnce(new Error("ENOENT: /home/somebody/x"));
  const outcome = await dispatch("events.register", window);
  expect(JSON.stringify(outcome)).not.toContain("somebody");
  expect(outcome).toMatchObject({ problem: { code: "unexpected" } });
  expect(JSON.stringify(report.mock.calls)).toContain("somebody");
});
