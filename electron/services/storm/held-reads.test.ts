import { expect, test } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import { createHeldReads } from "./held-reads.ts";

test("only an answer to a question after the last failure shows that the catalog is back", async () => {
  const { read, isDegraded } = createHeldReads();
  await read("a", () => Promise.resolve("old"));
  const slow = Promise.withResolvers<string>();
  const earlier = read("b", () => slow.promise);
  const away = (): Promise<string> => Promise.reject(new AppError("storage-unavailable", "Away."));
  expect(await read("a", away)).toBe("old");
  slow.resolve("late");
  expect(await earlier).toBe("late");
  expect(isDegraded()).toBe(true);
  expect(await read("a", () => Promise.resolve("new"))).toBe("new");
  expect(isDegraded()).toBe(false);
});
