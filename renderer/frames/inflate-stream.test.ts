import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isPngError } from "../../shared/png/png-error.ts";
import { inflate, inflateAll } from "./inflate-stream.ts";

const plain = Uint8Array.from({ length: 100_000 }, (_, at) => (at * at) % 253);
const deflated = new Uint8Array(deflateSync(plain));

describe("inflating", () => {
  test("gives the bytes, however the stream is cut into parts", async () => {
    for (const size of [1, 7, 8192, 20_000, deflated.length]) {
      const parts: Uint8Array[] = [];
      for (let at = 0; at < deflated.length; at += size) parts.push(deflated.subarray(at, at + size));
      expect(Buffer.compare(await inflateAll(parts, plain.length), plain)).toBe(0);
    }
  });

  test("refuses a stream that gives more than expected, without taking the surplus", async () => {
    const bomb = new Uint8Array(deflateSync(new Uint8Array(50_000_000)));
    let taken = 0;
    const run = inflate([bomb], 1000, (piece) => {
      taken += piece.length;
    });
    await expect(run).rejects.toSatisfy(isPngError);
    expect(taken).toBeLessThanOrEqual(1000);
  });

  test("refuses a stream that gives less than expected", async () => {
    await expect(inflateAll([deflated], plain.length + 1)).rejects.toSatisfy(isPngError);
  });

  test("refuses a stream that is cut short or damaged anywhere", async () => {
    for (let length = 0; length < deflated.length; length += 997) {
      await expect(inflateAll([deflated.subarray(0, length)], plain.length)).rejects.toSatisfy(isPngError);
    }
    const flipped = deflated.slice();
    flipped[flipped.length - 1] = flipped.at(-1)! ^ 1;
    await expect(inflateAll([flipped], plain.length)).rejects.toSatisfy(isPngError);
  });

  test("stops at an abort and lets it pass through", async () => {
    const abort = new AbortController();
    abort.abort(new DOMException("enough", "AbortError"));
    await expect(inflate([deflated], plain.length, () => undefined, abort.signal)).rejects.toMatchObject({
      name: "AbortError",
    });
  });
});
