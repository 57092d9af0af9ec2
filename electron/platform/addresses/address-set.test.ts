import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, test } from "vitest";
import { createAddressSet } from "./address-set.ts";
import { parseCidr, parseIpAddress } from "./ip-address.ts";

function setOf(...cidrs: readonly string[]) {
  return createAddressSet(cidrs.map((cidr) => parseCidr(cidr)!));
}

function has(cidrs: readonly string[], address: string): boolean {
  return setOf(...cidrs).has(parseIpAddress(address)!);
}

describe("a set of ranges", () => {
  test("contains the first and last address of each range, and none outside", () => {
    const cidrs = ["192.0.2.64/26", "192.0.2.128/32", "2001:db8:8000::/33"];
    for (const inside of [
      "192.0.2.64",
      "192.0.2.127",
      "192.0.2.128",
      "2001:db8:8000::",
      "2001:db8:ffff:ffff::1",
    ]) {
      expect(has(cidrs, inside), inside).toBe(true);
    }
    for (const outside of ["192.0.2.63", "192.0.2.129", "2001:db8:7fff:ffff::1", "2001:db9::", "0.0.0.1"]) {
      expect(has(cidrs, outside), outside).toBe(false);
    }
    expect(has(["255.255.255.255/32"], "255.255.255.255")).toBe(true);
    expect(has([], "192.0.2.1")).toBe(false);
  });

  test("agrees with a plain comparison of addresses, also if ranges overlap", () => {
    const byte = fc.constantFrom(0, 1, 127, 128, 254, 255);
    const ipv4 = fc.tuple(fc.constantFrom(10, 11), byte, byte, byte).map((bytes) => bytes.join("."));
    const ipv6 = fc
      .tuple(byte, byte, byte)
      .map(([a, b, c]) => `2001:db8:${a.toString(16)}::${b.toString(16)}:${c}`);
    const cidr = fc.oneof(
      fc.tuple(ipv4, fc.integer({ min: 8, max: 32 })).map((parts) => parts.join("/")),
      fc.tuple(ipv6, fc.integer({ min: 16, max: 128 })).map((parts) => parts.join("/")),
    );
    fc.assert(
      fc.property(fc.array(cidr, { maxLength: 12 }), fc.oneof(ipv4, ipv6), (cidrs, address) => {
        const parsed = ipaddr.parse(address);
        const expected = cidrs.some((text) => {
          const [range, bits] = ipaddr.parseCIDR(text);
          return range.kind() === parsed.kind() && parsed.match(range, bits);
        });
        expect(has(cidrs, address)).toBe(expected);
      }),
      { seed: 20261121, numRuns: 600 },
    );
  });
});
