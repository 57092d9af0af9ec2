import { describe, expect, test } from "vitest";
import {
  formatIpAddress,
  isPublicAddress,
  parseCidr,
  parseIpAddress,
  parseIpRange,
  toIpRange,
} from "./ip-address.ts";

describe("an address", () => {
  test("is IPv4 if it is mapped into IPv6, in each notation", () => {
    const plain = parseIpAddress("192.0.2.7");
    for (const text of ["::ffff:192.0.2.7", "::FFFF:c000:0207", "0:0:0:0:0:ffff:c000:207"]) {
      expect(parseIpAddress(text)).toEqual(plain);
    }
    expect(parseCidr("::ffff:192.0.2.0/120")).toEqual(parseCidr("192.0.2.0/24"));
    expect(parseCidr("::ffff:192.0.2.0/95")).toBeUndefined();
  });

  test.each(["", "1.2.3", "127.1", "0x7f.0.0.1", "010.0.0.1", "1.2.3.4/32", "256.1.1.1", "::g", "localhost"])(
    "is not %j",
    (text) => {
      expect(parseIpAddress(text)).toBeUndefined();
    },
  );

  test.each([
    ["255.0.128.1", "255.0.128.1"],
    ["2001:DB8:0:0:8:800:200C:417A", "2001:db8::8:800:200c:417a"],
    ["::", "::"],
    ["fe80::1%eth0", "fe80::1%eth0"],
    ["::ffff:10.0.0.1", "10.0.0.1"],
  ])("%s is written as %s", (text, written) => {
    expect(formatIpAddress(parseIpAddress(text)!)).toBe(written);
  });

  test.each([
    ["8.8.8.8", true],
    ["10.0.0.1", false],
    ["::ffff:10.0.0.1", false],
    ["2606:4700::1", true],
    ["2001:db8::1", false],
    ["4000::1", false],
    ["fe80::1%eth0", false],
  ])("%s is public: %s", (text, expected) => {
    expect(isPublicAddress(parseIpAddress(text)!)).toBe(expected);
  });
});

describe("a range", () => {
  test("of a block drops the bits beyond its prefix", () => {
    expect(parseCidr("10.1.2.3/30")).toEqual({ family: 4, first: 0x0a010200, last: 0x0a010203 });
    expect(parseCidr("0.0.0.0/0")).toEqual({ family: 4, first: 0, last: 2 ** 32 - 1 });
    expect(parseCidr("::5/127")).toEqual({ family: 6, first: 4n, last: 5n });
  });

  test.each([
    "",
    "1.2.3.4",
    "1.2.3.4/",
    "1.2.3.4/33",
    "1.2.3.4/-1",
    "1.2.3.4/ 8",
    "::/129",
    "::/8/8",
    "1.2.3/8",
  ])("is not %j", (text) => {
    expect(parseCidr(text)).toBeUndefined();
  });

  test("can be a single address", () => {
    expect(parseIpRange("0.0.0.7")).toEqual({ family: 4, first: 7, last: 7 });
    expect(parseIpRange("::7")).toEqual({ family: 6, first: 7n, last: 7n });
    expect(parseIpRange("host")).toBeUndefined();
  });

  test("has ends of one family, in order", () => {
    const [low, high, other] = ["1.1.1.1", "1.1.1.2", "::1"].map((text) => parseIpAddress(text)!);
    expect(toIpRange(low!, high!)).toMatchObject({ family: 4 });
    expect(toIpRange(high!, low!)).toBeUndefined();
    expect(toIpRange(other!, low!)).toBeUndefined();
    expect(toIpRange(low!, other!)).toBeUndefined();
  });
});
