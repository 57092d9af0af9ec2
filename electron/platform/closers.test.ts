import { expect, test } from "vitest";
import { createClosers } from "./closers.ts";

test("closers run in reverse order, once", async () => {
  const closed: string[] = [];
  const closers = createClosers();
  for (const name of ["store", "service"]) closers.add(() => void closed.push(name));
  await Promise.all([closers.close(), closers.close()]);
  expect(closed).toEqual(["service", "store"]);
});

test("closers stop at the first failure, which every caller receives", async () => {
  const closed: string[] = [];
  const closers = createClosers();
  closers.add(() => void closed.push("store"));
  closers.add(() => Promise.reject(new Error("stuck")));
  await expect(closers.close()).rejects.toThrow("stuck");
  await expect(closers.close()).rejects.toThrow("stuck");
  expect(closed).toEqual([]);
});
