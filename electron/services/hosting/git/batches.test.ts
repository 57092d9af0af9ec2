import { PassThrough, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { inBatches } from "./batches.ts";

describe("batches of small pieces", () => {
  test("keep every byte in order, in far fewer pieces", async () => {
    const pieces = Array.from({ length: 2000 }, (_, index) => Buffer.alloc(1000, index));
    const batches: Buffer[] = [];
    for await (const batch of inBatches(Readable.from(pieces))) batches.push(batch);
    expect(Buffer.concat(batches).equals(Buffer.concat(pieces))).toBe(true);
    expect(batches.length).toBeLessThan(500);
  });

  test("pass on a single piece without waiting, and end when the stream is destroyed", async () => {
    const stream = new PassThrough();
    stream.write("x");
    const batches = inBatches(stream);
    expect(await batches.next()).toEqual({ done: false, value: Buffer.from("x") });
    stream.destroy();
    expect((await batches.next()).done).toBe(true);
    expect((await inBatches(stream).next()).done).toBe(true);
  });

  test("slow the writer down for a slow reader", async () => {
    const stream = new PassThrough();
    const batches = inBatches(stream);
    stream.write("first");
    await batches.next();
    while (stream.write(Buffer.alloc(8192))) await setImmediate();
    expect(stream.readableLength + stream.writableLength).toBeLessThan(1024 * 1024);
    await batches.return(undefined);
    expect(stream.destroyed).toBe(true);
  });
});
