import { describe, expect, test } from "vitest";
import { createReader } from "./single-reader.ts";

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe("a reader", () => {
  test("reads once more after a reading during which it was asked again, however often", async () => {
    const finish: (() => void)[] = [];
    const reader = createReader(
      () =>
        new Promise((resolve) => {
          finish.push(resolve);
        }),
    );
    reader.request();
    reader.request();
    reader.request();
    expect(finish).toHaveLength(1);
    finish[0]!();
    await settle();
    expect(finish).toHaveLength(2);
    finish[1]!();
    await settle();
    expect(finish).toHaveLength(2);
    reader.request();
    expect(finish).toHaveLength(3);
  });

  test("aborts the running reading when it is closed, and starts no other", async () => {
    const signals: AbortSignal[] = [];
    const reader = createReader((signal) => {
      signals.push(signal);
      return Promise.resolve();
    });
    reader.request();
    reader.request();
    reader.close();
    await settle();
    reader.request();
    expect(signals).toHaveLength(1);
    expect(signals[0]?.aborted).toBe(true);
  });
});
