import { expect, test } from "vitest";
import type { Task } from "../../../shared/contract/task.ts";
import { OverlayDraft } from "../../../shared/contract/overlays.ts";
import { exampleEvent, exampleEventId } from "../../support/example-data.ts";
import {
  emptyOverlay,
  findOverlayProblem,
  findPresetObstacle,
  pacesWith,
  toOverlayDraft,
} from "./typed-overlay.ts";

const address = emptyOverlay("address");
const folder = emptyOverlay("folder");

test.each([
  ["", "Enter an address, such as https://example.org/spotters.txt."],
  ["example.org/a.txt", "The address must begin with https://."],
  ["file:///etc/passwd", "The address must begin with https://."],
  ["https://", "The address must begin with https://."],
  [`https://example.org/${"a".repeat(2_100)}`, "That is too long."],
])("the address %j is not taken", (place, problem) => {
  expect(findOverlayProblem({ ...address, place })).toBe(problem);
});

test("a folder needs its whole path, in the forms of each system", () => {
  expect(findOverlayProblem(folder)).toBe("Enter the folder with its whole path.");
  expect(findOverlayProblem({ ...folder, place: "placefiles" })).toBe(
    "The folder must be given with its whole path.",
  );
  for (const place of ["/home/me", "C:\\placefiles", "\\\\desk\\shared"])
    expect(findOverlayProblem({ ...folder, place })).toBeUndefined();
});

test("a name must be short and of one line", () => {
  const typed = { ...address, place: "https://example.org/a.txt" };
  expect(findOverlayProblem({ ...typed, name: "a".repeat(121) })).toBe(
    "A name must not exceed 120 characters.",
  );
});

test("an address is named after its host, a folder after its last part, unless the person names it", () => {
  const typed = { ...address, place: " https://example.org/a.txt?key=1 ", everyMinutes: 15 };
  const draft = toOverlayDraft(typed);
  expect(draft).toEqual({
    name: "example.org",
    on: true,
    source: {
      kind: "address",
      url: "https://example.org/a.txt?key=1",
      everySeconds: 900,
      allowPrivate: false,
    },
  });
  expect(OverlayDraft.safeParse(draft).success).toBe(true);
  expect(toOverlayDraft({ ...typed, name: " Spotters " }).name).toBe("Spotters");
  expect(toOverlayDraft({ ...folder, place: "/home/me/placefiles/" }).name).toBe("placefiles");
  expect(toOverlayDraft({ ...folder, place: "C:\\placefiles" }).name).toBe("placefiles");
});

const task: Task = {
  ...{ id: "1", kind: "overlay-fetch", eventId: exampleEventId, state: "running", message: "" },
  progress: { done: 0, total: 1 },
};

test("presets are for an event that was observed, one at a time", () => {
  const event = exampleEvent();
  expect(findPresetObstacle(undefined, [])).toBe("Choose an event first.");
  expect(findPresetObstacle(exampleEvent({ label: "Storm (synthetic)" }), [])).toContain("is synthetic");
  expect(findPresetObstacle(exampleEvent({ startedAt: null }), [])).toContain("no pictures yet");
  expect(findPresetObstacle(event, [task])).toBe("Already fetching for this event.");
  expect(findPresetObstacle(event, [{ ...task, state: "failed" }])).toBeUndefined();
  expect(findPresetObstacle(event, [{ ...task, eventId: "other" }])).toBeUndefined();
});

test("a pace that was set elsewhere can be kept", () => {
  expect(pacesWith(300)).toEqual([60, 120, 300, 900, 3_600]);
  expect(pacesWith(30)).toEqual([30, 60, 120, 300, 900, 3_600]);
});
