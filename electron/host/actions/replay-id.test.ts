import { expect, test } from "vitest";
import { isEventId } from "../../../shared/contract/identifiers.ts";
import { freeReplayId } from "./replay-id.ts";

const isTakenOf =
  (...taken: string[]) =>
  (id: string) =>
    Promise.resolve(taken.includes(id));

test("the first free id is chosen", async () => {
  expect(await freeReplayId("iowa", isTakenOf())).toBe("iowa-replay");
  expect(await freeReplayId("iowa", isTakenOf("iowa-replay", "iowa-replay-2"))).toBe("iowa-replay-3");
});

test("the id of a long event is shortened to a valid id", async () => {
  for (const eventId of ["a".repeat(64), `${"a".repeat(56)}-b${"c".repeat(6)}`]) {
    const id = await freeReplayId(eventId, isTakenOf());
    expect(isEventId(id)).toBe(true);
    expect(id).toMatch(/[a-c]-replay$/);
  }
});

test("an event whose replay ids are all taken is refused", async () => {
  await expect(freeReplayId("iowa", () => Promise.resolve(true))).rejects.toMatchObject({ code: "conflict" });
});
