import { expect, test } from "vitest";
import { FeedJournal } from "./feed-journal.ts";

const at = (time: string): number => Date.parse(`2024-05-20T${time}Z`);

function openJournal(): { journal: FeedJournal; failure: () => string | undefined } {
  const journal = new FeedJournal({
    source: "noaa",
    eventId: "live",
    now: () => new Date(at("21:03:00")),
  });
  return { journal, failure: () => journal.products()[0]?.lastFailure?.message };
}

test("a failure stays while only other windows are published, and goes when its own is", () => {
  const { journal, failure } = openJournal();
  const { productId } = journal.products()[0]!;
  journal.noteFailure(productId, "2024-05-20T21:00:39Z", "It is cut short.");
  journal.notePublished(productId, at("20:58:39"));
  journal.notePublished(productId, at("21:02:39"));
  expect(failure()).toBe("It is cut short.");
  expect(journal.hasNewFailure()).toBe(false);
  journal.notePublished(productId, at("21:00:37"));
  expect(failure()).toBeUndefined();
});

test("a failure of no observation stays until publishing works again, one of a file beyond that", () => {
  const { journal, failure } = openJournal();
  const { productId } = journal.products()[0]!;
  journal.noteFailure(productId, null, "The disk is full.");
  journal.notePublished(productId, at("21:02:39"));
  expect(failure()).toBe("The disk is full.");
  journal.noteRecovered();
  expect(failure()).toBeUndefined();
  journal.noteFailure(productId, "2024-05-20T21:00:39Z", "It is cut short.");
  journal.noteRecovered();
  expect(failure()).toBe("It is cut short.");
});
