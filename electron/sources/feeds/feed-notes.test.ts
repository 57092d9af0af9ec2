import { expect, test } from "vitest";
import { FeedNotes } from "./feed-notes.ts";

const at = (time: string): string => `2024-05-20T${time}Z`;
const productId = "mrms-mesh";

function openNotes(): { notes: FeedNotes; failure: () => string | undefined } {
  const notes = new FeedNotes(() => new Date(at("21:03:00")));
  return { notes, failure: () => notes.products()[0]?.lastFailure?.message };
}

test("a failure stays until its own window is published", () => {
  const { notes, failure } = openNotes();
  notes.noteFailure(productId, at("21:00:39"), "File is incomplete.");
  notes.notePublished(productId, at("20:58:39"));
  notes.notePublished(productId, at("21:02:39"));
  expect(failure()).toBe("File is incomplete.");
  expect(notes.hasNewFailure()).toBe(false);
  notes.notePublished(productId, at("21:00:37"));
  expect(failure()).toBeUndefined();
});

test("a failure without an observation stays until publishing works again, a failure of a file longer", () => {
  const { notes, failure } = openNotes();
  notes.noteFailure(productId, null, "The disk is full.");
  notes.notePublished(productId, at("21:02:39"));
  expect(failure()).toBe("The disk is full.");
  notes.noteRecovered();
  expect(failure()).toBeUndefined();
  notes.noteFailure(productId, at("21:00:39"), "File is incomplete.");
  notes.noteRecovered();
  expect(failure()).toBe("File is incomplete.");
});
