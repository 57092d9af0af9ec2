// Event packs as users share them: exported, pushed to a host, fetched by another, and refused if they are invalid (R68
// to R70).
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand, startHost } from "../../electron/support/host-process.ts";
import { createRepository, createRepositoryToken, missing, startHosting, type Hosting } from "./hosting.ts";
import { gitOk, hasGit } from "./git.ts";
import { hasCurl } from "../support/curl.ts";
import { ingestWindows, pack, readEvent } from "../support/storm-files.ts";

const event = "moore-2013";

describe.skipIf(!hasGit || !hasCurl)(`event packs${missing && ` (needs ${missing})`}`, () => {
  let hosting: Hosting;
  /** The bare repository of an export. */
  let exported: string;
  beforeAll(async () => {
    hosting = await startHosting();
    await ingestWindows(hosting.data, event, { first: 0, count: 3 });
    exported = join(hosting.folder, "exported.git");
    await pack(hosting.data, "export", event, "--out", exported);
  });
  afterAll(() => hosting.stop());

  test("R68 an unchanged event yields the same commit", async () => {
    const first = await pack(hosting.data, "export", event);
    expect(first.lines.at(-1)).toMatchObject({ event, status: "complete" });
    const again = await pack(hosting.data, "export", event);
    expect(again.lines.at(-1)).toEqual({ ...first.lines.at(-1), status: "up to date" });
    const tip = await gitOk(["rev-parse", "main"], { cwd: exported });
    expect(first.lines.at(-1)).toMatchObject({ commit: tip });
    await gitOk(["fsck", "--strict"], { cwd: exported });
    expect(await gitOk(["tag", "--list"], { cwd: exported })).toBe("rev/1\nrev/2\nrev/3");
  });

  test("R69 another desktop gets the same bytes from the remote", async () => {
    const { remote, token } = await createRepository(hosting, { name: event });
    const writing = join(hosting.folder, "writing.token");
    writeFileSync(writing, `${token}\n`);
    const pushed = await pack(hosting.data, "push", event, "--remote", remote, "--token-file", writing);
    expect(pushed.status, pushed.stderr).toBe(0);
    const reading = join(hosting.folder, "reading.token");
    writeFileSync(reading, (await createRepositoryToken(hosting, { repo: event, scope: "read" })).plaintext);
    const other = join(hosting.folder, "other");
    const fetched = await pack(other, "fetch", remote, "--token-file", reading);
    expect(fetched.status, fetched.stderr).toBe(0);
    expect(fetched.lines.at(-1)).toEqual({ ...pushed.lines.at(-1), status: "complete" });
    const again = await pack(other, "fetch", remote, "--token-file", reading);
    expect(again.lines.at(-1)).toMatchObject({ status: "up to date" });
    const offline = await startHost(other);
    try {
      const ours = await readEvent(hosting.host().origin, event);
      expect(ours.size).toBeGreaterThan(6);
      expect(await readEvent(offline.origin, event)).toEqual(ours);
    } finally {
      await offline.stop();
    }
    expect((await runCommand(["verify", "--data", other])).status).toBe(0);
  });

  describe("R70 a pack is refused with the wrong path, and changes nothing:", () => {
    const first = (folder: string): string => join(folder, readdirSync(folder).toSorted()[0]!);
    const edit = (path: string, change: (text: string) => string): void => {
      writeFileSync(path, change(readFileSync(path, "utf8")));
    };
    const wrongs: readonly (readonly [string, RegExp, (tree: string) => void])[] = [
      [
        "a link",
        /sources\/link\.json/,
        (tree) => {
          symlinkSync("/etc/passwd", join(tree, "sources", "link.json"));
        },
      ],
      [
        "an executable",
        /pack\.json/,
        (tree) => {
          chmodSync(join(tree, "pack.json"), 0o755);
        },
      ],
      [
        "a stray path",
        /tools\/run\.sh/,
        (tree) => {
          mkdirSync(join(tree, "tools"));
          writeFileSync(join(tree, "tools", "run.sh"), "#!/bin/sh\n");
        },
      ],
      [
        "a frame that is no PNG",
        /frames\/mrms-[a-z]+\/[0-9a-f]{64}\.png/,
        (tree) => {
          writeFileSync(first(join(tree, "frames", "mrms-mesh")), "<svg/>");
        },
      ],
      [
        "a frame under another's name",
        /frames\/mrms-mesh\/[0-9a-f]{64}\.png/,
        (tree) => {
          const frame = first(join(tree, "frames", "mrms-mesh"));
          renameSync(frame, join(frame, "..", `${"0".repeat(64)}.png`));
        },
      ],
      [
        "a manifest that is no manifest",
        /revisions\/[A-Za-z0-9-]+\/manifest\.json/,
        (tree) => {
          writeFileSync(join(first(join(tree, "revisions")), "manifest.json"), '{"schemaVersion":2}\n');
        },
      ],
      [
        "a manifest that was changed",
        /revisions\/[A-Za-z0-9-]+\/manifest\.json/,
        (tree) => {
          edit(join(first(join(tree, "revisions")), "manifest.json"), (text) =>
            text.replace('"opacity":0.', '"opacity":0.1'),
          );
        },
      ],
      [
        "a manifest that is not there",
        /revisions\/[A-Za-z0-9-]+\/(?:manifest|other)\.json/,
        (tree) => {
          const manifest = join(first(join(tree, "revisions")), "manifest.json");
          renameSync(manifest, join(manifest, "..", "other.json"));
        },
      ],
      [
        "a description of another event",
        /revisions\/[A-Za-z0-9-]+\/manifest\.json: Its eventId/,
        (tree) => {
          edit(join(tree, "pack.json"), (text) => text.replaceAll(event, "other-event"));
        },
      ],
    ];
    test.each(wrongs)("%s", async (what, path, spoil) => {
      const tree = join(hosting.folder, `spoilt ${what}`);
      await gitOk(["clone", "--quiet", exported, tree]);
      spoil(tree);
      await gitOk(["add", "--all"], { cwd: tree });
      await gitOk(["commit", "--quiet", "-m", "spoilt"], { cwd: tree });
      const data = join(hosting.folder, `data ${what}`);
      await ingestWindows(data, "own", { first: 0, count: 1 });
      const before = readdirSync(data, { recursive: true }).toSorted();
      const { status, stderr } = await pack(data, "import", tree);
      expect(status).toBe(1);
      expect(stderr).toMatch(path);
      expect(readdirSync(data, { recursive: true }).toSorted()).toEqual(before);
    });
  });

  test("a token is never an argument, nor part of an address", async () => {
    const secret = `art_v1_${"0".repeat(40)}`;
    const inUrl = await pack(hosting.data, "fetch", `http://x:${secret}@127.0.0.1:1/git/events/a.git`);
    expect(inUrl.status).not.toBe(0);
    expect(inUrl.stderr).not.toContain(secret);
    expect(
      (await pack(hosting.data, "fetch", "http://127.0.0.1:1/git/events/a.git", "--token", secret)).status,
    ).toBe(2);
  });
});
