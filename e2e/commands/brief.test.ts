// `echotop brief` as users run it, next to a running host.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  makeTemporaryDirectory,
  removeDirectory,
  runCommand,
  startHost,
} from "../../electron/support/host-process.ts";
import { noHail, observedAt, writeKnownFile } from "../support/known-storm.ts";

let root: string;
let data: string;
const event = "plains";

beforeAll(async () => {
  root = makeTemporaryDirectory("brief");
  data = join(root, "data");
  const paths = [0, 1].map((window) =>
    writeKnownFile(root, {
      product: "mrms-mesh",
      observedAt: observedAt(window),
      quadrants: { northWest: 30 + window, northEast: noHail, southWest: noHail, southEast: 55 },
    }),
  );
  const args = ["ingest", "--data", data, "--event", event, "--label", "Plains & more", ...paths];
  expect(await runCommand(args)).toMatchObject({ status: 0 });
}, 120_000);

afterAll(() => {
  removeDirectory(root);
});

const brief = (...args: string[]): ReturnType<typeof runCommand> =>
  runCommand(["brief", event, "--data", data, ...args]);

test(
  "brief publishes while a host serves the data, counts its files, and changes nothing the second time",
  { timeout: 120_000 },
  async () => {
    const host = await startHost(data);
    const page = join(data, "briefings", event, "index.html");
    const counts = { event, page, url: null, revisions: 2 };
    expect(await brief()).toMatchObject({
      status: 0,
      lines: [{ ...counts, written: 6, unchanged: 0, removed: 0 }],
    });
    expect(readFileSync(page, "utf8")).toContain("<h1>Plains &amp; more</h1>");
    expect(await brief()).toMatchObject({ status: 0, lines: [{ ...counts, written: 0, unchanged: 6 }] });
    expect(await host.stop()).toBe(0);
  },
);

test("brief accepts a folder, a list of revisions and an address", { timeout: 120_000 }, async () => {
  const out = join(root, "site");
  const base = "https://brief.example/storms";
  expect(await brief("--out", out, "--base", base, "--revisions", "2")).toMatchObject({
    status: 0,
    lines: [{ url: `${base}/plains/`, revisions: 1, written: 4 }],
  });
  const page = readFileSync(join(out, event, "r", "2", "index.html"), "utf8");
  expect(page).toContain(`<link rel="canonical" href="${base}/plains/">`);
  expect(existsSync(join(out, event, "r", "1"))).toBe(false);
  expect(existsSync(join(out, event, "r", "2", "mrms-mesh.png"))).toBe(true);
});

describe("brief refuses", () => {
  test.each([
    ["missing sequences, by number", ["--revisions", "2,7-8"], 1, "no revisions 7, 8"],
    ["an invalid list", ["--revisions", "2;3"], 2, "--revisions takes"],
    ["a descending range", ["--revisions", "5-2"], 2, "--revisions takes"],
    ["an address without a scheme", ["--base", "brief.example"], 2, "--base takes"],
    ["an address that cannot be parsed", ["--base", "https://[brief/"], 2, "--base takes"],
    ["a second event", ["other"], 2, "Too many arguments"],
  ])("%s", async (_what, args, status, words) => {
    const result = await brief(...args, "--out", join(root, "refused"));
    expect(result).toMatchObject({ status, lines: [], stderr: expect.stringContaining(words) as string });
    expect(existsSync(join(root, "refused"))).toBe(false);
  });

  async function expectNoPlace(out: string, words: string): Promise<void> {
    expect(await brief("--out", out)).toMatchObject({
      status: 1,
      lines: [],
      stderr: `echotop: The briefing could not be written: ${words}.\n`,
    });
  }

  test("a file in place of the folder", async () => {
    const words = "a file is in the place of a folder";
    await expectNoPlace(join(data, "catalog.sqlite"), words);
    await expectNoPlace(join(data, "catalog.sqlite", "site"), words);
  });

  test.skipIf(process.platform !== "linux")("a folder that the system refuses to create", async () => {
    await expectNoPlace("/proc/nope/site", "its folder cannot be created, or was removed in the meantime");
  });

  test("a missing event, and a folder without a catalog", async () => {
    expect(await runCommand(["brief", "nowhere", "--data", data])).toMatchObject({
      status: 1,
      stderr: "echotop: There is no event nowhere.\n",
    });
    expect(await runCommand(["brief", event, "--data", join(root, "none")])).toMatchObject({ status: 1 });
    expect(await runCommand(["brief", "--data", data])).toMatchObject({ status: 2 });
  });
});
