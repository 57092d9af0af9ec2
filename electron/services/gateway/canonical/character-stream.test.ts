import { describe, expect, test } from "vitest";
import { CharacterStream } from "./character-stream.ts";
import { cutAtRandom } from "../support/generated-heads.ts";

function decode(pieces: readonly Uint8Array[], contentType: string | undefined): string {
  const stream = new CharacterStream(contentType);
  return pieces.map((piece) => stream.write(piece)).join("") + stream.end();
}

/** Returns the text, which is the same whole and cut. */
function read(bytes: Uint8Array, contentType: string | undefined = "text/html"): string {
  const whole = decode([bytes], contentType);
  expect(
    decode(
      [...bytes].map((byte) => Uint8Array.of(byte)),
      contentType,
    ),
  ).toBe(whole);
  for (let seed = 0; seed < 5; seed++) {
    expect(decode(cutAtRandom(bytes, seed), contentType)).toBe(whole);
  }
  return whole;
}

function bytesOf(...parts: readonly (string | readonly number[])[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))));
}

const e9 = [0xe9] as const;

describe("the encoding is", () => {
  test("that of the byte order mark, whatever the header says", () => {
    const header = "text/html; charset=shift_jis";
    expect(read(bytesOf([0xef, 0xbb, 0xbf], "é"), header)).toBe("é");
    expect(read(bytesOf([0xfe, 0xff, 0x00, 0xe9]), header)).toBe("é");
    expect(read(bytesOf([0xff, 0xfe, 0xe9, 0x00]), header)).toBe("é");
  });

  test("that of the header, whatever the page says", () => {
    expect(read(bytesOf("<meta charset=koi8-r>", e9), "text/html; Charset=Latin1")).toBe(
      "<meta charset=koi8-r>é",
    );
    expect(read(bytesOf("é"), 'text/html;charset="UTF-8"')).toBe("é");
    expect(read(bytesOf([0x93, 0xfa]), "text/html; charset=x-sjis")).toBe("日");
  });

  test.each([
    "text/html; charset=nonsense",
    "text/html; charset=iso-2022-kr",
    "no media type",
    "text/html",
    undefined,
  ])("that of the page if the header names none: %s", (header) => {
    expect(read(bytesOf("<meta charset=koi8-r>", e9), header)).toBe("<meta charset=koi8-r>И");
  });

  test("windows-1252 if none is declared", () => {
    expect(read(bytesOf("<p>", [0x80, 0x93, 0xe9]))).toBe("<p>€“é");
  });
});

test("a byte order mark further on is text", () => {
  expect(read(bytesOf("\ufeff\ufeffé"))).toBe("\ufeffé");
  expect(read(bytesOf("<meta charset=utf-8>\ufeffé"))).toBe("<meta charset=utf-8>\ufeffé");
});

test("ASCII after an incomplete character is decoded after that character", () => {
  for (const charset of ["utf-8", "windows-1252", "shift_jis"]) {
    const bytes = bytesOf("a", [0xe6, 0x97], "bc", [0xa5], "d");
    expect(read(bytes, `text/html; charset=${charset}`)).toBe(new TextDecoder(charset).decode(bytes));
  }
});

describe("a page that has not declared its encoding", () => {
  test("gives its ASCII at once, and the rest after the declaration", () => {
    const stream = new CharacterStream("text/html");
    expect(stream.write(bytesOf("<title>"))).toBe("<title>");
    expect(stream.write(bytesOf("é</title>"))).toBe("");
    expect(stream.write(bytesOf("<meta charset=utf-8>"))).toBe("é</title><meta charset=utf-8>");
    expect(stream.write(bytesOf("é"))).toBe("é");
    expect(stream.end()).toBe("");
  });

  test("is searched for at most 1,024 bytes", () => {
    const stream = new CharacterStream("text/html");
    expect(stream.write(bytesOf("é".repeat(511)))).toBe("");
    expect(stream.write(bytesOf("é"))).toBe("Ã©".repeat(512));
  });

  test("must declare it before the 1,024th byte", () => {
    const meta = "<meta charset=utf-8>";
    expect(read(bytesOf(" ".repeat(1024 - meta.length), meta, "é"))).toMatch(/é$/);
    expect(read(bytesOf(" ".repeat(1025 - meta.length), meta, "é"))).toMatch(/Ã©$/);
  });

  test("is read as UTF-16 if it begins with an XML declaration in UTF-16", () => {
    const text = '<?xml version="1.0"?>é';
    const little = Buffer.from(text, "utf16le");
    expect(read(new Uint8Array(little))).toBe(text);
    expect(read(new Uint8Array(little.swap16()))).toBe(text);
  });

  test("may switch its character set by escapes", () => {
    const escaped = [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42];
    expect(read(bytesOf("a", escaped, "b<meta charset=iso-2022-jp>"))).toBe("a日b<meta charset=iso-2022-jp>");
  });
});
