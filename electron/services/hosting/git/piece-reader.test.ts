import { PassThrough, Readable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { readPieces } from "./piece-reader.ts";

async function readAll(read: () => Promise<Buffer | undefined>): Promise<string[]> {
  const texts: string[] = [];
  for (let piece = await read(); piece !== undefined; piece = await read()) texts.push(piece.toString());
  return texts;
}

describe("the pieces of a stream", () => {
  it("are given as they came, none joined, and then the end, again and again", async () => {
    const stream = new PassThrough();
    for (const text of ["one", "two", "three"]) stream.write(text);
    stream.end();
    const read = readPieces(stream);
    expect(await readAll(read)).toEqual(["one", "two", "three"]);
    expect(await read()).toBeUndefined();
  });

  it("wait in the stream until somebody asks", () => {
    const stream = new PassThrough();
    readPieces(stream);
    expect(stream.listenerCount("data")).toBe(0);
    expect(stream.readableFlowing).toBeNull();
  });

  it("are held up while many wait, and come on when they were taken", async () => {
    const size = 64 * 1024;
    const count = 64;
    let made = 0;
    const stream = new Readable({
      highWaterMark: size,
      read() {
        this.push(made === count ? null : Buffer.alloc(size, made));
        made += 1;
      },
    });
    const read = readPieces(stream);
    await read();
    await vi.waitUntil(() => stream.isPaused());
    expect(made).toBeLessThan(10);
    const firstBytes: number[] = [];
    for (let piece = await read(); piece !== undefined; piece = await read()) firstBytes.push(piece[0]!);
    expect(firstBytes).toEqual(Array.from({ length: count - 1 }, (_, index) => index + 1));
  });

  it("end with the stream's error, behind those that came before it", async () => {
    const stream = new PassThrough();
    stream.write("one");
    const read = readPieces(stream);
    expect(String(await read())).toBe("one");
    const next = read();
    stream.destroy(new Error("torn"));
    await expect(next).rejects.toThrow("torn");
    await expect(read()).rejects.toThrow("torn");
  });

  it.each([
    ["was closed before", undefined, "The client disconnected."],
    ["broke before", new Error("torn before"), "torn before"],
  ])("fail for a stream that %s", async (_, error, message) => {
    const stream = new PassThrough();
    stream.on("error", () => undefined).destroy(error);
    await expect(readPieces(stream)()).rejects.toThrow(message);
  });

  it("are refused of a stream that closes without an end", async () => {
    const stream = new PassThrough();
    const next = readPieces(stream)();
    stream.destroy();
    await expect(next).rejects.toThrow("The client disconnected.");
  });
});
