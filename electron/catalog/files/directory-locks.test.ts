// The lock between publications and the removal of frames.
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../support/drafts.ts";
import { openPublicationLock, withoutPublications } from "./directory-locks.ts";

test("publications of all processes run together, and a removal waits for the last of them", async () => {
  const file = join(await temporaryDirectory(), "frames.lock");
  const locks = [openPublicationLock(file), openPublicationLock(file)];
  onTestFinished(() => {
    for (const lock of locks) lock.close();
  });
  const steps: string[] = [];
  const gates = [0, 0, 1].map((process) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const done = locks[process]!.hold(async () => {
      steps.push("publishing");
      await promise;
      steps.push("published");
    });
    return { done, resolve };
  });
  await expect.poll(() => steps.length).toBe(3);
  const removal = withoutPublications(file, () => Promise.resolve(steps.push("removed")));
  for (const { done, resolve } of gates) {
    resolve(undefined);
    await done;
  }
  await removal;
  await locks[0]!.hold(() => Promise.resolve(steps.push("publishing")));
  expect(steps).toEqual([
    ...["publishing", "publishing", "publishing"],
    ...["published", "published", "published"],
    ...["removed", "publishing"],
  ]);
});

test("a publication that fails lets the removal go on", async () => {
  const file = join(await temporaryDirectory(), "frames.lock");
  const lock = openPublicationLock(file);
  onTestFinished(() => {
    lock.close();
  });
  await expect(lock.hold(() => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  expect(await withoutPublications(file, () => Promise.resolve("removed"))).toBe("removed");
});
