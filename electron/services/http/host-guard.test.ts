import { describe, expect, test } from "vitest";
import { toHosts } from "./host-guard.ts";

describe("hosts of a bound address", () => {
  test.each([
    ["127.0.0.1", ["127.0.0.1:1", "localhost:1"]],
    ["::1", ["[::1]:1", "localhost:1"]],
    ["0.0.0.0", ["127.0.0.1:1", "localhost:1"]],
    ["::", ["127.0.0.1:1", "localhost:1", "[::1]:1"]],
    ["127.0.0.2", ["127.0.0.2:1"]],
    ["192.168.1.5", []],
  ])("%s answers to its own loopback names only", (address, expected) => {
    expect(toHosts({ address, port: 1 }, [])).toEqual(expected);
  });

  test("adds names with the bound port, their own port, or none for port 80", () => {
    const bound = { address: "192.168.1.5", port: 47_800 };
    expect(toHosts(bound, ["Storm.Example", "storm.example:8080", "[fe80::1]"])).toEqual([
      "storm.example:47800",
      "storm.example:8080",
      "[fe80::1]:47800",
    ]);
    expect(toHosts({ ...bound, port: 80 }, ["storm.example"])).toEqual(["storm.example"]);
  });
});
