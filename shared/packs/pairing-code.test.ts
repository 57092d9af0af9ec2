import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAppError } from "../app-error.ts";
import { isLoopbackHost, parseRemoteAddress, toPairingCode } from "./pairing-code.ts";

const sha256 = `${"Ab-_9".repeat(8)}xyE`;

describe("an address of a pack", () => {
  test.each([
    ["https://storms.example/git/events/ev-a.git", undefined],
    ["https://storms.example:47801/git/events/ev-a.git", undefined],
    ["http://127.0.0.1:47801/git/events/ev-a.git", undefined],
    ["http://localhost:1/x", undefined],
    ["http://[::1]:47801/git/events/ev-a.git", undefined],
    [`https://192.168.1.7:47801/git/events/ev-a.git#sha256=${sha256}`, sha256],
    [`https://[fe80::1]:47801/git/events/ev-a.git#sha256=${sha256}`, sha256],
    ["https://storms.example/a%20b/c.git", undefined],
  ])("%s is read and written unchanged", (text, fingerprint) => {
    const address = parseRemoteAddress(text);
    expect(address).toEqual({ url: text.replace(/#.*/, ""), certificateSha256: fingerprint });
    expect(toPairingCode(address)).toBe(text);
  });

  test("loses its trailing slash, default port and upper case in its host", () => {
    expect(parseRemoteAddress("HTTPS://Storms.Example:443/Git/a.git/").url).toBe(
      "https://storms.example/Git/a.git",
    );
  });

  test.each<[string, RegExp]>([
    ["", /must begin with https/],
    ["storms.example/a.git", /must begin with https/],
    ["file:///etc/passwd", /no valid host|must begin with https/],
    ["ssh://storms.example/a.git", /must begin with https/],
    ["http://storms.example/a.git", /Plain HTTP works only on this machine/],
    ["http://127.0.0.1.storms.example/a.git", /Plain HTTP/],
    ["http://192.168.1.7/a.git", /Plain HTTP/],
    ["https://x:art_v1_0@storms.example/a.git", /before its host; give the token in a file/],
    ["https://@storms.example/a.git", /before its host/],
    ["https://storms.example/a.git?token=1", /not have a query/],
    ["https://storms.example/a.git?", /not have a query/],
    ["https://storms.example", /but no repository/],
    ["https://storms.example/", /but no repository/],
    ["https:///a.git", /no valid host/],
    ["https://storms.example/a/../b.git", /dotted parts/],
    ["https://storms.example/a/%2e%2e/b.git", /dotted parts/],
    ["https://storms.example//a.git", /empty or dotted/],
    ["https://storms.example/a b.git", /percent-encode them/],
    ["https://storms.example\\@evil.example/a.git", /percent-encode them/],
    ["https://0x7f.1/a.git", /no valid host/],
    ["http://2130706433/a.git", /no valid host/],
    ["http://127.0.0.256/a.git", /no valid host/],
    ["https://[1]/a.git", /no valid host/],
    ["https://storms..example/a.git", /no valid host/],
    ["https://storms.example:0/a.git", /no valid host/],
    ["https://storms.example/a%2.git", /% without/],
    ["https://störme.example/a.git", /percent-encode them/],
    ["https://storms.example/a.git\u0000", /percent-encode them/],
    ["https://storms.example:99999/a.git", /no valid host/],
    ["https://storms.example/a.git#sha256=abc", /must be a certificate.s fingerprint/],
    ["https://storms.example/a.git#main", /must be a certificate.s fingerprint/],
    [`https://storms.example/a.git#sha256=${"A".repeat(42)}B`, /must be a certificate.s fingerprint/],
    [`http://127.0.0.1/a.git#sha256=${sha256}`, /belongs to an https/],
    [`https://storms.example/${"a".repeat(2000)}`, /longer than 2000/],
  ])("that is %.60j is refused with a sentence", (text, sentence) => {
    expect(() => parseRemoteAddress(text)).toThrow(sentence);
  });

  test("any text is parsed or refused, and parses to the same again", () => {
    const pieces = fc.constantFrom(
      ...["https://", "http://", "127.0.0.1", "h.example", "@", ":", "/", "..", "?", "#sha256=", sha256],
      ...["%2e", "[::1]", "a.git", "\\", "0x7f.1", " ", "ü", "\n", "localhost"],
    );
    const text = fc.oneof(
      fc.array(pieces, { maxLength: 9 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary", maxLength: 80 }),
    );
    fc.assert(
      fc.property(text, (input) => {
        let address;
        try {
          address = parseRemoteAddress(input);
        } catch (error) {
          expect(isAppError(error, "invalid-input")).toBe(true);
          return;
        }
        const url = new URL(address.url);
        // A client that requests it parses it as it was written.
        if (!address.url.includes("[")) expect(url.href).toBe(address.url);
        expect(url.username + url.password + url.search + url.hash).toBe("");
        expect(url.protocol === "https:" || isLoopbackHost(url.hostname)).toBe(true);
        expect(parseRemoteAddress(toPairingCode(address))).toEqual(address);
      }),
      { seed: 4, numRuns: 3000 },
    );
  });
});
