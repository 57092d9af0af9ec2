import { expect, test } from "vitest";
import { createClosableMutex, createKeyedMutex, createMutex } from "./mutex.ts";

/** Returns a job that waits until the test ends it, and the log that it writes to. */
function createJobs() {
  const log: string[] = [];
  const start = (name: string, end: Promise<void>) => async () => {
    log.push(`${name} begins`);
    await end;
    log.push(`${name} ends`);
  };
  return { log, start };
}

test("a mutex runs one job at a time in the order of the calls, also after a failure", async () => {
  const { log, start } = createJobs();
  const gate = Promise.withResolvers<undefined>();
  const mutex = createMutex();
  const first = mutex(start("first", gate.promise));
  const second = mutex(start("second", Promise.resolve()));
  gate.reject(new Error("failed"));
  await expect(first).rejects.toThrow("failed");
  await second;
  expect(log).toEqual(["first begins", "second begins", "second ends"]);
});

test("a closable mutex runs its last job once, after the others, and refuses later ones", async () => {
  const { log, start } = createJobs();
  const mutex = createClosableMutex();
  const gate = Promise.withResolvers<undefined>();
  const first = mutex.run(start("first", gate.promise));
  await Promise.resolve();
  const closed = mutex.close(start("last", Promise.resolve()));
  expect(mutex.close(start("again", Promise.resolve()))).toBe(closed);
  gate.resolve(undefined);
  await expect(mutex.run(start("late", Promise.resolve()))).rejects.toMatchObject({ code: "conflict" });
  await first;
  expect(log).toEqual(["first begins", "first ends", "last begins", "last ends"]);
});

test("a keyed mutex delays only jobs of the same key", async () => {
  const { log, start } = createJobs();
  const gate = Promise.withResolvers<undefined>();
  const mutex = createKeyedMutex();
  const first = mutex("a", start("first a", gate.promise));
  const second = mutex("a", start("second a", Promise.resolve()));
  await mutex("b", start("b", Promise.resolve()));
  gate.resolve(undefined);
  await Promise.all([first, second]);
  expect(log).toEqual([
    "first a begins",
    "b begins",
    "b ends",
    "first a ends",
    "second a begins",
    "second a ends",
  ]);
});
