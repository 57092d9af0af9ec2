// The shares of addresses, and all of them together.
import { expect, test } from "vitest";
import { FairShare } from "./fair-share.ts";

test("an address may use its share, and again after releasing it, independently of others", () => {
  const share = new FairShare({ mostOf: (address) => (address === "proxy" ? 4 : 2) });
  expect([1, 2, 3].map(() => share.take("a"))).toEqual([true, true, false]);
  expect(share.take("b")).toBe(true);
  expect([1, 2, 3, 4, 5].map(() => share.take("proxy"))).toEqual([true, true, true, true, false]);
  share.release("a");
  expect([1, 2].map(() => share.take("a"))).toEqual([true, false]);
});

test("the addresses of one IPv6 /64 network have one share", () => {
  const share = new FairShare({ mostOf: () => 2 });
  expect(share.take("2001:db8::1")).toBe(true);
  expect(share.take("2001:db8:0:0:ffff::2")).toBe(true);
  expect(share.take("2001:db8::3")).toBe(false);
  expect(share.take("2001:db8:0:1::1")).toBe(true);
  share.release("2001:db8::1");
  expect(share.take("2001:db8::3")).toBe(true);
});

test("all addresses together have a limit", () => {
  const share = new FairShare({ mostOf: () => 2, total: 3 });
  expect(["a", "b", "c", "d"].map((address) => share.take(address))).toEqual([true, true, true, false]);
  share.release("b");
  expect(share.take("d")).toBe(true);
});

test("a share may be exceeded without asking, and nothing more is given until it is free again", () => {
  const share = new FairShare({ mostOf: () => 2 });
  for (const address of ["a", "a", "a"]) share.add(address);
  share.release("a");
  expect(share.take("a")).toBe(false);
  share.release("a");
  expect(share.take("a")).toBe(true);
});
