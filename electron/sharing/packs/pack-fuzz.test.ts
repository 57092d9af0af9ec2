// Random changes to packs, seeded: reading one returns a valid pack or refuses it with a path.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "../../../shared/app-error.ts";
import { temporaryDirectory } from "../../catalog/support/drafts.ts";
import { exportEvent } from "./export-event.ts";
import { applyDelta } from "../git/packfile-format.ts";
import { ObjectFault } from "../git/object-formats.ts";
import { parseCommit, parseTree } from "../git/object-formats.ts";
import { readPack } from "./read-pack.ts";
import { forge, forgeWith, readSoundFiles } from "./support/forged-pack.ts";
import { git, hasGit, openDesk, publish } from "./support/sample-event.ts";

const seed = 20_261_120;

/** Returns true if the pack was accepted; any error other than a refusal is thrown. */
async function isTaken(gitdir: string): Promise<boolean> {
  try {
    await (await readPack({ gitdir })).close();
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(["source-invalid", "not-found"]).toContain(error.code);
    expect(error.detail).toMatch(/^[ -~]+: [ -~]+[.…]$/);
    return false;
  }
}

const mutation = fc.record({ place: fc.nat(), byte: fc.integer({ min: 0, max: 255 }), cut: fc.boolean() });

function mutate(
  bytes: Uint8Array,
  { place, byte, cut }: { place: number; byte: number; cut: boolean },
): Buffer {
  const changed = Buffer.from(bytes);
  const at = place % Math.max(changed.length, 1);
  if (cut) return changed.subarray(0, at);
  changed[at] = byte;
  return changed;
}

test("a pack with a changed file is refused, or has the same content", async () => {
  const desk = await openDesk();
  await publish(desk, { shade: 1 });
  const files = await readSoundFiles(desk);
  const paths = [...files.keys()];
  await fc.assert(
    fc.asyncProperty(fc.nat(), mutation, async (index, change) => {
      const path = paths[index % paths.length]!;
      const before = files.get(path)!.bytes;
      const after = mutate(before, change);
      const taken = await isTaken(await forge(new Map([...files, [path, { bytes: after }]])));
      // Labels, times and hashes in pack.json and sources may differ in a valid pack; manifests and frames may not.
      if (!after.equals(before) && /manifest|png$/.test(path)) expect(taken).toBe(false);
    }),
    { seed, numRuns: 80 },
  );
});

test("random bytes as a tree, a commit or a delta are parsed or refused", async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 60 }), (bytes, base) => {
      for (const parse of [parseTree, parseCommit, () => applyDelta(base, Buffer.from(bytes), 1 << 16)]) {
        try {
          parse(bytes);
        } catch (error) {
          if (!(error instanceof ObjectFault)) throw error;
        }
      }
    }),
    { seed, numRuns: 3000 },
  );
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 120 }), async (bytes) => {
      expect(await isTaken(await forgeWith((writer) => writer.write("tree", bytes)))).toBe(false);
    }),
    { seed, numRuns: 40 },
  );
});

test.skipIf(!hasGit)("a changed packfile or index gives a valid pack or a refusal", async () => {
  const desk = await openDesk();
  for (const shade of [1, 2, 3]) await publish(desk, { shade });
  const root = await temporaryDirectory();
  const directory = join(root, "plains.git");
  await exportEvent({ ...desk, directory, eventId: "plains" });
  await git(root, "clone", "-q", "--bare", "--no-local", directory, "packed.git");
  const gitdir = join(root, "packed.git");
  const folder = join(gitdir, "objects", "pack");
  const names = (await readdir(folder)).filter((name) => /\.(?:idx|pack)$/.test(name));
  expect(await isTaken(gitdir)).toBe(true);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), mutation, async (name, change) => {
      const file = join(folder, name);
      const before = await readFile(file);
      await writeFile(file, mutate(before, change));
      try {
        await isTaken(gitdir);
      } finally {
        await writeFile(file, before);
      }
    }),
    { seed, numRuns: 150 },
  );
  expect(await isTaken(gitdir)).toBe(true);
});
