import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isArtifactsError } from "../artifacts-error.ts";
import { parseImportUrl } from "./import-url.ts";
import { createAddressRule, vetHost } from "./vetted-addresses.ts";

const refused = (error: unknown) => isArtifactsError(error, "INVALID_URL");
const signal = new AbortController().signal;

describe("import addresses", () => {
  test.each([
    ["https://git.example.test/a/b.git", "git.example.test:443"],
    ["HTTPS://Git.Example.TEST:8443/a", "git.example.test:8443"],
    ["https://[2606:4700::1]/a", "[2606:4700::1]:443"],
    ["https://example.test", "example.test:443"],
    ["https://exämple.test/a", "xn--exmple-cua.test:443"],
    ["https://example.test/a%20b/@x", "example.test:443"],
  ])("%s is valid", (text, authority) => {
    expect(parseImportUrl(text)).toMatchObject({ authority });
  });

  test.each([
    ...[
      "http://example.test/a",
      "file:///etc",
      "ssh://git@example.test/a",
      "git://example.test/a",
      "-x",
      "--upload-pack=x",
    ],
    ...[
      "ext::sh -c x",
      "https:example.test/a",
      "https:/example.test/a",
      "https:///a",
      "https://",
      "",
      "example.test/a",
    ],
    ...[
      "https://user@example.test/a",
      "https://u:p@example.test/a",
      "https://@example.test/a",
      "https://:@example.test/a",
    ],
    ...[
      "https://example.test/a#b",
      "https://example.test/a#",
      "https://example.test/a?b",
      "https://example.test/a?",
    ],
    ...[
      "https:\\\\example.test\\a",
      "https://example.test\\@evil.test/a",
      " https://example.test/a",
      "https://example.test/a\n",
    ],
    ...[
      "https://exa\tmple.test/a",
      "https://example.test:0/a",
      "https://example.test:99999/a",
      "https://[::1/a",
      "https://a b/",
    ],
    ...[
      "https://exa%00mple.test/",
      "https://%/",
      `https://example.test/${"a".repeat(2048)}`,
      "https://\ud800/",
    ],
    "/srv/repository.git",
  ])("%j is invalid", (text) => {
    expect(() => parseImportUrl(text)).toThrow(expect.toSatisfy(refused) as Error);
  });

  test("any text yields an address without credentials, query and fragment, or the domain's error", () => {
    const part = fc.constantFrom(
      "https://",
      "@",
      ":",
      "/",
      "#",
      "?",
      "\\",
      "[::1]",
      "127.1",
      "0x7f",
      "a",
      "%2f",
      ".",
      "-",
      "é",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => `https://${parts.join("")}`),
        ),
        (text) => {
          try {
            const { href, authority } = parseImportUrl(text);
            const url = new URL(href);
            expect([url.protocol, url.username, url.password, url.search, url.hash]).toEqual([
              "https:",
              "",
              "",
              "",
              "",
            ]);
            expect(href.startsWith(`https://${url.host}/`)).toBe(true);
            expect(authority.startsWith(url.host)).toBe(true);
          } catch (error) {
            if (!refused(error)) throw error;
          }
        },
      ),
      { seed: 20_261_121, numRuns: 2000 },
    );
  });
});

describe("addresses that an import may connect to", () => {
  const isPublic = createAddressRule([]);

  test.each(["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:8.8.8.8"])(
    "%s is public",
    (address) => {
      expect(isPublic(address)).toBe(true);
    },
  );

  test.each([
    ...[
      "127.0.0.1",
      "127.255.0.9",
      "0.0.0.0",
      "10.1.2.3",
      "172.16.0.1",
      "192.168.1.1",
      "169.254.169.254",
      "100.64.0.1",
    ],
    ...[
      "192.0.2.1",
      "198.18.0.1",
      "198.51.100.7",
      "203.0.113.1",
      "192.0.0.8",
      "224.0.0.1",
      "240.0.0.1",
      "255.255.255.255",
    ],
    ...[
      "::",
      "::1",
      "fe80::1",
      "fe80::1%eth0",
      "fc00::1",
      "fd12::1",
      "fec0::1",
      "ff02::1",
      "2001:db8::1",
      "2002:7f00:1::",
    ],
    ...[
      "::ffff:127.0.0.1",
      "::ffff:7f00:1",
      "::ffff:10.0.0.1",
      "::ffff:0:127.0.0.1",
      "::127.0.0.1",
      "64:ff9b::7f00:1",
    ],
    ...[
      "64:ff9b:1::a00:1",
      "2001::1",
      "100::1",
      "",
      "localhost",
      "127.1",
      "2130706433",
      "0x7f000001",
      "1.1.1.1/8",
    ],
  ])("%j is not", (address) => {
    expect(isPublic(address)).toBe(false);
  });

  test("addresses of the configuration are allowed, also written as IPv6, and no others", () => {
    const isAllowed = createAddressRule(["10.1.0.0/16", "fd00::/8", "127.0.0.2"]);
    expect(["10.1.2.3", "::ffff:10.1.2.3", "fd01::1", "127.0.0.2", "1.1.1.1"].every(isAllowed)).toBe(true);
    expect(["10.2.0.1", "fe80::1", "127.0.0.1", "::1"].some(isAllowed)).toBe(false);
  });

  test.each(["10.0.0.0/99", "host", "", "10.0.0.0/8/8"])("%j cannot be configured", (text) => {
    expect(() => createAddressRule([text])).toThrow(/import_allow/);
  });

  test.each([
    ...[
      "https://127.0.0.1/",
      "https://127.1/",
      "https://2130706433/",
      "https://0x7f.0.0.1/",
      "https://0177.0.0.01/",
    ],
    ...[
      "https://0/",
      "https://[::1]/",
      "https://[::ffff:127.0.0.1]/",
      "https://[fe80::1]/",
      "https://169.254.169.254/latest",
    ],
    ...["https://①②⑦.0.0.1/", "https://127.0.0.1./", "https://10.0.0.1:8443/"],
  ])("%s is refused without a lookup", async (text) => {
    const resolve = () => Promise.reject(new Error("looked up"));
    const { hostname } = parseImportUrl(text);
    await expect(vetHost(hostname, { resolve, isAllowed: isPublic, signal })).rejects.toSatisfy(refused);
  });

  test.each([[["10.0.0.1"]], [["1.1.1.1", "127.0.0.1"]], [["::ffff:127.0.0.1"]], [["not an address"]]])(
    "a name that resolves to %j is refused",
    async (addresses) => {
      const resolve = () => Promise.resolve(addresses);
      await expect(vetHost("example.test", { resolve, isAllowed: isPublic, signal })).rejects.toSatisfy(
        refused,
      );
    },
  );

  test("a name without an address and a failed lookup are failures of the upstream", async () => {
    for (const resolve of [() => Promise.resolve([]), () => Promise.reject(new Error("ENOTFOUND"))]) {
      await expect(vetHost("example.test", { resolve, isAllowed: isPublic, signal })).rejects.toMatchObject({
        ...{ code: "UPSTREAM_UNAVAILABLE", status: 502 },
      });
    }
  });

  test("a lookup that hangs ends with the abort", async () => {
    const stop = new AbortController();
    const resolve = () => new Promise<string[]>(() => undefined);
    const vetting = vetHost("example.test", { resolve, isAllowed: isPublic, signal: stop.signal });
    stop.abort(new Error("gone"));
    await expect(vetting).rejects.toThrow("gone");
  });
});
