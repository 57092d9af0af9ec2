import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import { longestViewLink } from "../../../shared/views/view-link.ts";
import { judgeFile, judgeLink, largestView } from "./judge-opened.ts";
import { parseOpenArguments } from "./open-arguments.ts";
import { createOpening } from "./opening.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "echotop-opening-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const link = "echotop://view?v=1&follow=newest&event=a~O'Brien%20hail~observed";

describe("the command line", () => {
  test("has options, then files", () => {
    expect(parseOpenArguments(["--data=/d", "--no-sandbox", "a.grib2", "/b/c.grib2.gz"], "/work")).toEqual({
      options: ["--data=/d", "--no-sandbox", "a.grib2", "/b/c.grib2.gz"],
      paths: [resolve("/work/a.grib2"), resolve("/b/c.grib2.gz")],
      link: undefined,
    });
  });

  test("has a link as data: nothing after it counts, neither as an option nor as a file", () => {
    const hostile = [link, "--data=/evil", "--port=1", "--gpu-launcher=calc", "/etc/x.grib2", "-", link];
    expect(parseOpenArguments(["--data=/d", ...hostile], "/")).toEqual({
      options: ["--data=/d"],
      paths: [],
      link,
    });
  });

  test.each(["ECHOTOP://x", "echotop:x --data=/evil", '"echotop:x', " echotop:x", "echotop:"])(
    "has %j as a link, not as a file",
    (text) => {
      const { options, paths, link: found } = parseOpenArguments([text, "--data=/evil"], "/");
      expect({ options, paths, found }).toEqual({ options: [], paths: [], found: text });
    },
  );

  test("has no options after two dashes", () => {
    expect(parseOpenArguments(["--port=1", "--", "--data=/evil", "x.grib2"], "/w")).toEqual({
      options: ["--port=1"],
      paths: [resolve("/w/--data=/evil"), resolve("/w/x.grib2")],
      link: undefined,
    });
    expect(parseOpenArguments(["--", link, "--data=/evil"], "/w")).toMatchObject({ options: [], link });
  });

  test("may name files by an address of this machine, and by no other", () => {
    const path = join(folder, "a b.grib2");
    const others = ["https://example.com/x.grib2", "file://server/share/x.grib2", "javascript:1", ""];
    expect(parseOpenArguments([pathToFileURL(path).href, ...others], "/").paths).toEqual([path]);
  });

  test("never gives an argument after a link to the options, whatever it is", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), fc.array(fc.string()), (before, rest, after) => {
        const parsed = parseOpenArguments([...before, `echotop:${rest}`, ...after], "/");
        expect(parsed.options.length).toBeLessThanOrEqual(before.length);
        expect(parsed.options).toEqual(before.slice(0, parsed.options.length));
        expect(parsed.link).toMatch(/^\s*["']?\s*echotop:/i);
      }),
    );
  });
});

describe("a link", () => {
  test("passes unchanged, for the viewer to parse", () => {
    expect(judgeLink(link)).toEqual({ kind: "link", text: link });
  });

  test.each([
    [`echotop://view/${"a".repeat(longestViewLink)}`, "too long"],
    ["ECHOTOP://view", "not an echotop link"],
    ["https://example.com/", "not an echotop link"],
    ["javascript:alert(1)", "not an echotop link"],
    ["file:///etc/passwd", "not an echotop link"],
    ["echotop://view\u0000x", "control characters"],
    ["echotop://view\n--data=/evil", "control characters"],
    ["echotop://view\u202Egpj", "control characters"],
    ["echotop://view --data=/evil", "more than a link"],
    ['echotop://view" --gpu-launcher="calc', "more than a link"],
    ["echotop://view\\..\\x", "more than a link"],
    ["echotop://[", "damaged"],
  ])("%j is refused: %s", (text, reason) => {
    const judged = judgeLink(text);
    expect(judged).toMatchObject({ kind: "refused" });
    expect(JSON.stringify(judged)).toContain(`The link was not opened: it`);
    expect(JSON.stringify(judged)).toContain(reason);
  });

  test("that is refused does not come back in the sentence", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12, unit: "binary" }), (text) => {
        const judged = judgeLink(text);
        if (judged.kind === "refused") expect(judged.sentence).not.toContain(text);
      }),
    );
  });
});

describe("a file", () => {
  const write = (name: string, bytes: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };

  test.each(["a.grib2", "A.GRIB2.GZ", "b.grb2", "c.grb2.gz"])("%s goes to the ingest", async (name) => {
    expect(await judgeFile(join(folder, name))).toEqual({ kind: "grib2", path: join(folder, name) });
  });

  test("with a view is text", async () => {
    expect(await judgeFile(write("x.echotop-view", '{"format":"é"}'))).toEqual({
      kind: "view",
      text: '{"format":"é"}',
    });
  });

  test("is refused by name if it is not a view, too large, not text, or deleted", async () => {
    mkdirSync(join(folder, "d.echotop-view"));
    const reasons = [
      [write("x.gz", "x"), "x.gz was not opened: Echotop opens GRIB2 files and view files."],
      [
        write("l.echotop-view", Buffer.alloc(largestView + 1, 32)),
        "l.echotop-view was not opened: it is too large.",
      ],
      [
        write("b.echotop-view", Buffer.from([0xff, 0xfe])),
        "b.echotop-view was not opened: it is not a view file.",
      ],
      [join(folder, "gone.echotop-view"), "gone.echotop-view could not be read."],
      [join(folder, "d.echotop-view"), "d.echotop-view was not opened: it is not a file."],
    ] as const;
    for (const [path, sentence] of reasons)
      expect(await judgeFile(path)).toEqual({ kind: "refused", sentence });
  });
});

describe("what is opened", () => {
  test("waits until the host runs, then is added in order", async () => {
    const onOpened = vi.fn();
    const opening = createOpening({ onOpened, report: vi.fn() });
    opening.open({ paths: [join(folder, "a.grib2")], link: undefined });
    opening.open({ paths: [], link });
    expect(opening.take()).toEqual([{ kind: "link", text: link }]);
    const added: (readonly string[])[] = [];
    opening.start((paths) => {
      added.push(paths);
      return Promise.resolve({ chosen: true, eventId: "added-files", files: [] });
    });
    opening.open({ paths: [join(folder, "b.grib2")], link: undefined });
    await vi.waitFor(() => {
      expect(added).toHaveLength(2);
    });
    expect(added).toEqual([[join(folder, "a.grib2")], [join(folder, "b.grib2")]]);
    await vi.waitFor(() => {
      expect(onOpened).toHaveBeenCalledTimes(3);
    });
    expect(opening.take().map(({ kind }) => kind)).toEqual(["files", "files"]);
    expect(opening.take()).toEqual([]);
  });

  test("says why files could not be added, without their folder", async () => {
    const opening = createOpening({ onOpened: vi.fn(), report: vi.fn() });
    opening.start(() => Promise.reject(new AppError("conflict", "The event is archived.")));
    opening.open({ paths: [join(folder, "a.grib2")], link: undefined });
    const taken = await vi.waitFor(() => {
      const [one] = opening.take();
      expect(one).toBeDefined();
      return one;
    });
    expect(taken).toEqual({
      kind: "refused",
      sentence: "a.grib2 could not be added. The event is archived.",
    });
  });

  test("is bounded", () => {
    const opening = createOpening({ onOpened: vi.fn(), report: vi.fn() });
    for (let count = 0; count < 100; count += 1) opening.open({ paths: [], link: `echotop://view/${count}` });
    const taken = opening.take();
    expect(taken).toHaveLength(20);
    expect(taken.at(-1)).toEqual({ kind: "link", text: "echotop://view/99" });
  });
});
