import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { loadFixture } from "../../support/grib2-fixtures/load.ts";
import { toMessageBytes } from "./message-bytes.ts";
import { readMessage } from "./message.ts";

const plain = loadFixture("simple.grib2");

it("a gzipped message is unpacked, and another file is returned unchanged", () => {
  expect(new Uint8Array(toMessageBytes(gzipSync(plain)))).toEqual(plain);
  expect(toMessageBytes(plain)).toBe(plain);
});

it("a second message is reported as such, but much more than the message announces is not even unpacked", () => {
  const twice = toMessageBytes(gzipSync(Buffer.concat([plain, plain])));
  expect(() => readMessage(twice)).toThrow("has a second message");
  const bomb = gzipSync(Buffer.concat([plain, Buffer.alloc(1_000_000)]));
  expect(() => toMessageBytes(bomb)).toThrow(/unpacks to more than \d{5} bytes/);
});
