// Addresses in ranges, and invalid addresses.
import { describe, expect, test } from "vitest";
import { parseAddress, parseAddressRange } from "./address-ranges.ts";
import { compileExpression } from "./compile-expression.ts";
import { ExpressionError } from "./expression-error.ts";
import { someRequest } from "../support/some-request.ts";

describe("ip.src", () => {
  test.each([
    ["ip.src eq 203.0.113.7", "203.0.113.7", true],
    ["ip.src == 203.0.113.7", "203.0.113.8", false],
    ["ip.src ne 203.0.113.7", "203.0.113.7", false],
    ["ip.src in {203.0.113.0/24}", "203.0.113.255", true],
    ["ip.src in {203.0.113.0/24}", "203.0.114.0", false],
    ["ip.src in {203.0.113.9/30}", "203.0.113.8", true],
    ["ip.src in {203.0.113.9/30}", "203.0.113.12", false],
    ["ip.src in {203.0.113.9/32}", "203.0.113.9", true],
    ["ip.src in {0.0.0.0/0}", "255.255.255.255", true],
    ["ip.src in {0.0.0.0/0}", "::1", false],
    ["ip.src in {::/0}", "2001:db8::1", true],
    ["ip.src in {::/0}", "127.0.0.1", false],
    ["ip.src in {10.0.0.1 203.0.113.5..203.0.113.9}", "203.0.113.9", true],
    ["ip.src in {10.0.0.1 203.0.113.5..203.0.113.9}", "203.0.113.10", false],
    ["ip.src in {203.0.113.250..203.0.114.5}", "203.0.114.1", true],
    ["ip.src in {2001:db8::/33}", "2001:db8:7fff::", true],
    ["ip.src in {2001:db8::/33}", "2001:db8:8000::", false],
    ["ip.src in {2001:db8::1..2001:db8::ff}", "2001:DB8:0::10", true],
    ["ip.src eq 2001:db8::1", "2001:0db8:0:0::1", true],
    ["ip.src eq ::ffff:203.0.113.7", "203.0.113.7", true],
    ["ip.src eq 203.0.113.7", "::ffff:203.0.113.7", true],
    ["ip.src in {::ffff:203.0.113.0/120}", "203.0.113.99", true],
    ["ip.src eq 203.0.113.7", "", false],
    ["ip.src in {0.0.0.0/0 ::/0}", "unknown", false],
  ])("%s is, for %s, %s", (text, address, expected) => {
    expect(compileExpression(text).matches(someRequest({ address }))).toBe(expected);
  });

  test("a visitor without an address differs from every address", () => {
    const { matches } = compileExpression("ip.src ne 203.0.113.7");
    expect(matches(someRequest({ address: "" }))).toBe(true);
  });

  test.each(["ip.src eq 10.0.0.0/8", "ip.src eq 10.0.0.1..10.0.0.2", "ip.src ne 10.0.0.1/32"])(
    "%s is refused: ranges need a set",
    (text) => {
      expect(() => compileExpression(text)).toThrow(/only in a set/);
    },
  );

  test.each(["10.0.0.2..10.0.0.1", "10.0.0.1..::1", "10.0.0.1..x", "10.0.0.1..10.0.0.2..10.0.0.3"])(
    "%s is not a range",
    (range) => {
      expect(() => compileExpression(`ip.src in {${range}}`)).toThrow(/range needs two addresses/);
    },
  );

  test.each(["10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/", "10.0.0.0/8/8", "::/129", "10/8", "1.2.3"])(
    "%s is no address or block",
    (block) => {
      expect(() => compileExpression(`ip.src in {${block}}`)).toThrow(ExpressionError);
    },
  );
});

describe("an address", () => {
  test.each([
    "34",
    "0x7f.1",
    "127.1",
    "1.2.3.256",
    "01.2.3.4",
    "fe80::1%eth0",
    "",
    " 1.2.3.4",
    "::ffff:0:1.2.3",
  ])("is not %s", (text) => {
    expect(parseAddress(text)).toBeUndefined();
    expect(parseAddressRange(text)).toBeUndefined();
  });
});
