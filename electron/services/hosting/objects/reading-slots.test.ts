import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { describe, expect, test } from "vitest";
import type { ApiReply } from "../../api/api-part.ts";
import { createReadingSlots } from "./reading-slots.ts";

const signal = new AbortController().signal;
const limits = { total: 1, perKey: 1, waiting: 1 };
const reply = (byteLength: number): Promise<ApiReply> =>
  Promise.resolve({ raw: new Uint8Array(byteLength), headers: { "content-type": "text/plain" } });

/** Starts a second read, and tells if it has begun. */
function watch(slots: ReturnType<typeof createReadingSlots>) {
  let begun = false;
  const done = slots.run("a", signal, () => {
    begun = true;
    return reply(1);
  });
  return { done, begun: () => begun };
}

describe("slots of object reads", () => {
  test("a long reply holds its slot until its last byte is consumed", async () => {
    const slots = createReadingSlots(limits);
    const first = await slots.run("a", signal, () => reply(2 ** 20));
    const next = watch(slots);
    const stream = (first as { readonly raw: unknown }).raw as Readable;
    await new Promise(setImmediate);
    expect(next.begun()).toBe(false);
    let byteLength = 0;
    for await (const piece of stream as AsyncIterable<Uint8Array>) byteLength += piece.byteLength;
    await next.done;
    expect(byteLength).toBe(2 ** 20);
  });

  test("an unread reply releases its slot when it is destroyed", async () => {
    const slots = createReadingSlots(limits);
    const first = await slots.run("a", signal, () => reply(2 ** 20));
    const next = watch(slots);
    const stream = ((first as { readonly raw: unknown }).raw as Readable).destroy();
    await finished(stream).catch(() => undefined);
    await next.done;
    expect(next.begun()).toBe(true);
  });

  test("a reader that stalls is given up once another read waits", async () => {
    const slots = createReadingSlots(limits, 20);
    const first = await slots.run("a", signal, () => reply(2 ** 20));
    const stream = (first as { readonly raw: unknown }).raw as Readable;
    const next = watch(slots);
    await expect(finished(stream)).rejects.toThrow("too slowly while others waited");
    await next.done;
  });

  test("a short reply and a failure hold nothing", async () => {
    const slots = createReadingSlots(limits);
    expect(await slots.run("a", signal, () => reply(10))).toMatchObject({ raw: new Uint8Array(10) });
    await expect(slots.run("a", signal, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await slots.run("a", signal, () => reply(11))).toMatchObject({ raw: new Uint8Array(11) });
  });

  test("reads beyond the queue are refused with a message", async () => {
    const slots = createReadingSlots(limits);
    await slots.run("a", signal, () => reply(2 ** 20));
    const waiting = new AbortController();
    const second = slots.run("a", waiting.signal, () => reply(1));
    await expect(slots.run("a", signal, () => reply(1))).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    waiting.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
  });
});
