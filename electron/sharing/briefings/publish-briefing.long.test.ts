import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "parse5";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { checkPages } from "./check-pages.ts";
import { listBriefings } from "./list-briefings.ts";
import {
  openBriefingTrial,
  openStormyTrial,
  prepareStormyTrial,
  removeSharedTrials,
  stormyEvent,
} from "./support/briefing-trial.ts";

const eventId = stormyEvent.id;

// Drawing the shared briefing is slow under load.
beforeAll(prepareStormyTrial, 120_000);
afterAll(removeSharedTrials);

const pagesOf = (files: Record<string, string>): string[] =>
  Object.keys(files).filter((path) => path.endsWith(".html"));

describe("publishing a briefing", () => {
  test(
    "writes an event page, a page and stills per revision, and a list of the folder",
    { timeout: 90_000 },
    async () => {
      const trial = await openStormyTrial();
      rmSync(trial.out, { recursive: true });
      const progress: string[] = [];
      const result = await trial.publish(
        { eventId },
        { onProgress: (done, total) => progress.push(`${done}/${total}`) },
      );
      expect(Object.keys(trial.files())).toEqual([
        "index.html",
        "plains/.briefing.json",
        "plains/index.html",
        ...[1, 2, 3].flatMap((sequence) => [
          `plains/r/${sequence}/index.html`,
          `plains/r/${sequence}/mrms-mesh.png`,
          `plains/r/${sequence}/mrms-reflectivity.png`,
        ]),
        "plains/r/4/index.html",
        "plains/r/4/mrms-mesh.png",
      ]);
      expect(result).toEqual({
        eventId,
        page: join(trial.out, "plains", "index.html"),
        url: undefined,
        revisionPages: 4,
        written: 13,
        unchanged: 0,
        removed: 0,
      });
      expect(progress.at(-1)).toBe("7/7");
      // Drawing again gives the same bytes.
      expect(trial.files()).toEqual((await openStormyTrial()).files());
      const first = Buffer.from(trial.files()["plains/r/1/index.html"]!, "latin1").toString("utf8");
      expect(first).toContain("Strongest echo: 62 to 62.5 dBZ");
      expect(first).toContain("1.16 to 1.19 in (29.4 to 30.2 mm)");
      expect(first).toMatch(/\d+ mi \(\d+ km\) [NESW]+ of [A-Z][A-Za-z ]+, OK/);
      expect(first).toMatch(/by\s+<a href="\.\.\/3\/index\.html">revision 3<\/a>/);
      const correction = trial.files()["plains/r/3/index.html"]!;
      expect(correction).toContain("A correction: it replaces a layer of revision 1.");
      const empty = trial.files()["plains/r/4/index.html"]!;
      expect(empty).toContain("No hail of 1/8 inch or more within radar coverage.");
      expect(empty).toContain("Not delivered with this revision.");
    },
  );

  test("a single revision is described with one time", async () => {
    const trial = await openStormyTrial();
    await trial.publish({ eventId, newest: 1 });
    const page = trial.files()["plains/index.html"]!;
    expect(page).toContain("20 May 2024, 22:04:40 UTC: 1 revision with pictures and a summary.");
    expect(page).not.toContain("UTC to ");
    expect(page).not.toContain("</time> to <time");
  });

  test("publishing again writes nothing", async () => {
    const trial = await openStormyTrial();
    const files = trial.files();
    expect(await trial.publish({ eventId })).toMatchObject({ written: 0, unchanged: 13, removed: 0 });
    expect(trial.files()).toEqual(files);
  });

  test("restores damaged and missing files, and removes only pages that are no longer requested", async () => {
    const trial = await openStormyTrial();
    const files = trial.files();
    writeFileSync(join(trial.out, "plains/r/2/mrms-mesh.png"), "damaged");
    rmSync(join(trial.out, "plains/r/1/index.html"));
    expect(await trial.publish({ eventId })).toMatchObject({ written: 2, unchanged: 11 });
    expect(trial.files()).toEqual(files);
    writeFileSync(join(trial.out, "plains/r/1/notes.txt"), "mine");
    expect(await trial.publish({ eventId, sequences: [2, 4] })).toMatchObject({
      revisionPages: 2,
      removed: 6,
    });
    expect(Object.keys(trial.files()).filter((path) => path.includes("/r/"))).toEqual([
      "plains/r/1/notes.txt",
      "plains/r/2/index.html",
      "plains/r/2/mrms-mesh.png",
      "plains/r/2/mrms-reflectivity.png",
      "plains/r/4/index.html",
      "plains/r/4/mrms-mesh.png",
    ]);
    expect(existsSync(join(trial.out, "plains/r/3"))).toBe(false);
  });

  test("publishes as many of the newest revisions as requested, or all", async () => {
    const trial = await openStormyTrial();
    expect(await trial.publish({ eventId, newest: 2 })).toMatchObject({ revisionPages: 2 });
    expect(pagesOf(trial.files())).toContain("plains/r/3/index.html");
    expect(await trial.publish({ eventId, newest: Infinity })).toMatchObject({ revisionPages: 4 });
  });

  test("keeps stills whose frames have not changed", async () => {
    const trial = await openStormyTrial();
    const frames = { read: () => Promise.reject(new Error("no frame is read")) };
    expect(await trial.publish({ eventId, sequences: [1, 2] }, { frames })).toMatchObject({
      revisionPages: 2,
    });
  });
});

describe("what cannot be published", () => {
  test.each([
    [{ eventId: "nowhere" }, "not-found", "There is no event nowhere."],
    [{ eventId, sequences: [2, 9, 7] }, "not-found", "The event plains has no revisions 7, 9."],
    [{ eventId, baseUrl: "ftp://a.example/" }, "invalid-input", "base address"],
    [{ eventId, baseUrl: "https://a.example/?q" }, "invalid-input", "base address"],
  ])("%j is refused", async (request, code, words) => {
    const trial = await openStormyTrial();
    const files = trial.files();
    await expect(trial.publish(request)).rejects.toMatchObject({
      code,
      detail: expect.stringContaining(words) as string,
    });
    expect(trial.files()).toEqual(files);
  });

  test("never overwrites another's page", async () => {
    const trial = await openStormyTrial();
    rmSync(trial.out, { recursive: true });
    mkdirSync(trial.out);
    writeFileSync(join(trial.out, "index.html"), "<title>My own page</title>");
    await expect(trial.publish({ eventId })).rejects.toMatchObject({ code: "conflict" });
    expect(Object.keys(trial.files())).toEqual(["index.html"]);
  });

  test("a canceled or failed publication leaves the earlier briefing whole, and no staging folder", async () => {
    const trial = await openStormyTrial();
    await trial.publish({ eventId, sequences: [1] });
    const files = trial.files();
    const cancelling = new AbortController();
    const onProgress = (done: number): void => {
      if (done === 2) cancelling.abort();
    };
    await expect(trial.publish({ eventId }, { signal: cancelling.signal, onProgress })).rejects.toMatchObject(
      { name: "AbortError" },
    );
    const frames = { read: () => Promise.resolve(undefined) };
    await expect(trial.publish({ eventId }, { frames })).rejects.toMatchObject({ code: "frame-missing" });
    const broken = { read: () => Promise.resolve(Buffer.from("no picture")) };
    await expect(trial.publish({ eventId }, { frames: broken })).rejects.toMatchObject({
      code: "stored-data-invalid",
    });
    expect(trial.files()).toEqual(files);
    expect(readdirSync(trial.out)).toEqual(["index.html", "plains"]);
  });
});

/** True on Windows, which has no such permissions, and for root, who ignores them. */
const hasNoModes = process.platform === "win32" || process.getuid?.() === 0;

describe("what a killed publication left", () => {
  /** Half a day ago, in seconds. */
  const long = Date.now() / 1000 - 43_200;
  const staging = `.${eventId}.0123456789ab.new`;

  /** Creates files in the folder of briefings, and sets the times of files and folders. */
  function leave(out: string, paths: readonly string[], atSeconds: number): void {
    for (const path of paths) {
      const parts = path.split("/");
      mkdirSync(join(out, ...parts.slice(0, -1)), { recursive: true });
      writeFileSync(join(out, path), "half");
      for (let end = parts.length; end > 0; end--)
        utimesSync(join(out, ...parts.slice(0, end)), atSeconds, atSeconds);
    }
  }

  const halves = [
    `${staging}/r/2/mrms-mesh.png`,
    `${eventId}/r/2/mrms-mesh.png.0123456789ab.new`,
    `${eventId}/.briefing.json.0123456789ab.new`,
    "index.html.0123456789ab.new",
  ];

  test("is removed by the next one", async () => {
    const trial = await openStormyTrial();
    const files = trial.files();
    leave(trial.out, halves, long);
    mkdirSync(join(trial.out, `.${eventId}.ba9876543210.new`));
    utimesSync(join(trial.out, `.${eventId}.ba9876543210.new`), long, long);
    await trial.publish({ eventId });
    expect(trial.files()).toEqual(files);
    expect(readdirSync(trial.out)).toEqual(["index.html", eventId]);
  });

  test.each([
    ["files that may be in use", halves, Date.now() / 1000],
    ["the files of another event", [`.${eventId}-2.0123456789ab.new/r/2/mrms-mesh.png`], long],
    ["files that only look similar", [`${staging}/r/2/mrms-mesh.png`, `${staging}/notes.txt`], long],
    ["a file with that name", [staging, `${eventId}/notes.txt.0123456789ab.new`], long],
  ])("but keeps %s", async (_what, paths, atSeconds) => {
    const trial = await openStormyTrial();
    leave(trial.out, paths, atSeconds);
    const files = trial.files();
    await trial.publish({ eventId });
    expect(trial.files()).toEqual(files);
  });

  test("but keeps a folder that is being filled, even if the folder is old", async () => {
    const trial = await openStormyTrial();
    leave(trial.out, [`${staging}/r/2/mrms-mesh.png`], long);
    const now = Date.now() / 1000;
    utimesSync(join(trial.out, staging, "r/2/mrms-mesh.png"), now, now);
    await trial.publish({ eventId });
    expect(existsSync(join(trial.out, staging, "r/2/mrms-mesh.png"))).toBe(true);
  });

  test.skipIf(hasNoModes).each([
    ["content", 0o300],
    ["age", 0o600],
  ])("but keeps a folder with unreadable %s", async (_what, mode) => {
    const trial = await openStormyTrial();
    leave(trial.out, [`${staging}/index.html`], long);
    chmodSync(join(trial.out, staging), mode);
    await trial.publish({ eventId });
    expect(existsSync(join(trial.out, staging))).toBe(true);
    chmodSync(join(trial.out, staging), 0o700);
    expect(existsSync(join(trial.out, staging, "index.html"))).toBe(true);
  });
});

describe("a folder that cannot hold briefings is refused at once, with the reason", () => {
  const notFolder = "a file is in the place of a folder";

  async function expectRefused(directory: string, why: string): Promise<void> {
    const trial = await openStormyTrial();
    const onProgress = vi.fn();
    await expect(trial.publish({ eventId, directory }, { onProgress })).rejects.toMatchObject({
      code: "storage-failed",
      detail: `The briefing could not be written: ${why}.`,
    });
    expect(onProgress).not.toHaveBeenCalled();
  }

  test("a file, a folder below one, a file in the event's place, a folder in a page's", async () => {
    const { out } = await openStormyTrial();
    const file = join(out, "file");
    writeFileSync(file, "mine");
    await expectRefused(file, notFolder);
    await expectRefused(join(file, "inner", "site"), notFolder);
    mkdirSync(join(out, "site"));
    writeFileSync(join(out, "site", eventId), "mine");
    await expectRefused(join(out, "site"), notFolder);
    mkdirSync(join(out, "pages", "index.html"), { recursive: true });
    await expectRefused(join(out, "pages"), "a folder is in the place of a file");
  });

  test.skipIf(process.platform !== "linux")("a place where the system cannot create folders", async () => {
    await expectRefused("/proc/nope", "its folder cannot be created, or was removed in the meantime");
    await expectRefused("/proc/nope/site", "its folder cannot be created, or was removed in the meantime");
  });

  test.skipIf(hasNoModes)("a folder without write permission", async () => {
    const { out } = await openStormyTrial();
    chmodSync(join(out, eventId), 0o555);
    await expectRefused(out, "permission was denied");
    chmodSync(out, 0o555);
    await expectRefused(join(out, "site"), "permission was denied");
    chmodSync(out, 0o755);
    chmodSync(join(out, eventId), 0o755);
  });
});

describe("the links of a briefing", () => {
  test.each([undefined, "https://brief.example/storms"])("are sound with the base %j", async (baseUrl) => {
    const trial = await openStormyTrial();
    const { url } = await trial.publish({ eventId, baseUrl });
    expect(url).toBe(baseUrl && "https://brief.example/storms/plains/");
    const files = trial.files();
    const pages = new Map(pagesOf(files).map((path) => [path, files[path]!]));
    const others = new Set(Object.keys(files).filter((path) => path.endsWith(".png")));
    const eventPage = "plains/index.html";
    const base = baseUrl && `${baseUrl}/`;
    const list = pages.get("index.html")!;
    pages.delete("index.html");
    expect(
      checkPages({ pages, others: new Set([...others, "index.html"]), eventPage, baseUrl: base }),
    ).toEqual([]);
    expect(list).toContain('<link rel="canonical" href="./">');
    const second = pages.get("plains/r/2/index.html")!;
    if (baseUrl === undefined) {
      expect(second).toContain('<link rel="canonical" href="../../">');
      expect(second).toContain('<link rel="next" href="../3/index.html">');
      expect(second).not.toContain('href="/');
    } else {
      expect(second).toContain('<link rel="canonical" href="https://brief.example/storms/plains/">');
      expect(second).toContain('<link rel="prev" href="https://brief.example/storms/plains/r/1/">');
    }
  });

  test.each([
    ["no canonical", "", "has 0 canonical links"],
    [
      "two",
      '<link rel=canonical href="../../"><link rel="x Canonical" href="../../">',
      "has 2 canonical links",
    ],
    [
      "a chain",
      '<link rel=canonical href="../1/">',
      "names https://briefings.invalid/plains/r/1/ as canonical",
    ],
    ["itself", '<link rel=canonical href="./">', "as canonical"],
    ["another site", '<link rel=canonical href="https://other.example/">', "as canonical"],
    ["one in the body", '<p><link rel=canonical href="../../">', "outside its head"],
    ["a dead link", '<link rel=canonical href="../../"><a href="../9/">9</a>', "../9/, which does not exist"],
  ])("are refused with %s", (_what, head, problem) => {
    const eventPage = "plains/index.html";
    const pages = new Map([
      [eventPage, '<title>E</title><link rel=canonical href="./">'],
      ["plains/r/1/index.html", '<title>1</title><link rel=canonical href="../../">'],
      ["plains/r/2/index.html", `<title>2</title>${head}`],
    ]);
    const problems = checkPages({ pages, others: new Set(), eventPage, baseUrl: undefined });
    expect(problems.join("\n")).toContain(problem);
  });
});

describe("hostile labels", () => {
  test("of an event are plain text in every page and picture", async () => {
    const trial = await openBriefingTrial();
    const label = `"><script>alert(1)</script><link rel=canonical href=//evil>\u202egnp.exe & 'x' 嵐 ${"long ".repeat(30)}`;
    await trial.add({ id: eventId }, { minute: 0, values: { "mrms-mesh": 40 } });
    trial.relabel(eventId, label);
    await trial.publish({ eventId, baseUrl: "http://127.0.0.1:47802/" });
    const files = trial.files();
    for (const path of pagesOf(files)) {
      const page = Buffer.from(files[path]!, "latin1").toString("utf8");
      expect(page).not.toContain("<script");
      expect(page).not.toContain("\u202e");
      expect(page).toContain("&quot;&gt;&lt;script&gt;");
      expect(page.match(/<link rel="canonical"/g)).toHaveLength(1);
    }
  });

  test("never end an attribute or an element", async () => {
    const { html } = await import("./pages/html.ts");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const page = parse(html`<p title="${text}">${text}</p>`.text);
        const body = JSON.stringify(page.childNodes, (key, value: unknown) =>
          key === "parentNode" ? undefined : value,
        );
        expect(body.match(/"tagName"/g)).toHaveLength(4);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

test("the list shows the newest briefing first, how far it is behind, and no foreign folders", async () => {
  const trial = await openStormyTrial();
  expect(await listBriefings(join(trial.out, "nothing"), trial.catalog)).toEqual([]);
  await trial.add({ id: "later", label: "Later" }, { minute: 90, values: { "mrms-mesh": 20 } });
  await trial.publish({ eventId: "later" });
  await trial.add(stormyEvent, { minute: 6, values: { "mrms-mesh": 20 } });
  mkdirSync(join(trial.out, "others"));
  writeFileSync(join(trial.out, "others", ".briefing.json"), "{}");
  const listed = await listBriefings(trial.out, trial.catalog);
  expect(listed).toMatchObject([
    { eventId: "later", label: "Later", revisionPages: 1, behind: 0, address: null },
    { eventId, revisionPages: 4, behind: 1, folder: join(trial.out, eventId) },
  ]);
  expect(trial.files()["index.html"]).toMatch(/later\/index\.html.*plains\/index\.html/s);
});
