import { describe, expect, test } from "vitest";
import { createFindClient, toClient } from "./client-address.ts";

describe("the client of a request", () => {
  const find = createFindClient(["10.0.0.0/8", "2001:db8::/32", "192.0.2.7"]);

  test.each([
    ["the peer, where it is no trusted proxy", "203.0.113.1", "198.51.100.9", "203.0.113.1"],
    ["the last address that is no proxy", "10.0.0.1", "1.1.1.1, 198.51.100.9, 10.2.3.4", "198.51.100.9"],
    ["the first word, where all are proxies", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["the proxy, where it says nonsense", "10.0.0.1", "203.0.113.5, unknown", "10.0.0.1"],
    ["the nearest known, before nonsense", "10.0.0.1", "unknown, 10.0.0.2", "10.0.0.2"],
    ["without its port", "192.0.2.7", "198.51.100.9:4711", "198.51.100.9"],
    ["without its brackets", "192.0.2.7", "[2001:db9::1]:4711", "2001:db9::1"],
    ["IPv4 where it is mapped", "::ffff:10.0.0.1", "::ffff:198.51.100.9", "198.51.100.9"],
    ["behind an IPv6 proxy", "2001:db8::5", "198.51.100.9", "198.51.100.9"],
    ["not an address in octal", "10.0.0.1", "010.0.0.1", "10.0.0.1"],
  ])("is %s", (_, peer, forwardedFor, address) => {
    expect(find(peer, forwardedFor).address).toBe(address);
  });

  test("a proxy's header is passed on with the proxy's address, a visitor's header is not", () => {
    expect(find("10.0.0.1", "198.51.100.9").forwardedFor).toBe("198.51.100.9, 10.0.0.1");
    expect(find("203.0.113.1", "198.51.100.9").forwardedFor).toBe("203.0.113.1");
    expect(createFindClient([])("10.0.0.1", "198.51.100.9").address).toBe("10.0.0.1");
  });

  test.each(["", "x", "10.0.0.0/33", "10.0.0/8", "1.2.3.4/"])("%j is not a range of proxies", (text) => {
    expect(() => createFindClient([text])).toThrow("neither an address nor a CIDR");
  });

  test("the address of an explained visitor is parsed", () => {
    expect(toClient("::ffff:1.2.3.4")?.address).toBe("1.2.3.4");
    expect(toClient("1.2.3")).toBeUndefined();
  });
});
