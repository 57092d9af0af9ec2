// Work buffers are cleared before each use.
import { expect, test } from "vitest";
import { createWorkBuffers } from "./work-buffers.ts";

test("a buffer is all 0 and has the requested length, even after writes to the previous one", () => {
  const { take } = createWorkBuffers();
  for (const length of [7, 7, 5, 64, 6, 64]) {
    const buffer = take(length);
    expect(buffer).toEqual(new Uint8Array(length));
    buffer.fill(0xff);
  }
});

test("a buffer reuses the memory of the previous one if that is long enough", () => {
  const { take } = createWorkBuffers();
  const { buffer } = take(64);
  expect(take(8).buffer).toBe(buffer);
  expect(take(65).buffer).not.toBe(buffer);
});
