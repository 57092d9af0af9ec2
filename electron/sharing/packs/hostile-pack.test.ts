// Invalid packs are refused with the path at fault and a reason, and nothing changes.
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleView as view } from "../../../shared/views/support/any-view.ts";
import { stepOf, stepsOf } from "../../../shared/views/support/example-steps.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { encodePng } from "../../platform/png/write.ts";
import { importPack } from "./import-pack.ts";
import type { EventPackLimits } from "./event-pack-limits.ts";
import { encodeTree, fileMode, folderMode } from "../git/object-formats.ts";
import { changeJson, forge, forgeWith, readSoundFiles, type ForgedFiles } from "./support/forged-pack.ts";
import { closeDesk, openDesk, openDeskIn, publish, type TestDesk } from "./support/sample-event.ts";

interface Case {
  readonly files: ForgedFiles;
  /** Paths of one revision and its frame. */
  readonly manifest: string;
  readonly sources: string;
  readonly frame: string;
}

/** A desktop that imports and stays empty, and the files of a valid pack. */
let desk: TestDesk;
let sound: Case | undefined;

beforeAll(async () => {
  desk = await openDeskIn(await mkdtemp(join(tmpdir(), "echotop-")));
});

afterAll(async () => {
  await closeDesk(desk);
  await rm(desk.directory, { recursive: true });
});

/** Returns a valid pack to change; the first call creates it. */
async function openCase(): Promise<Case> {
  sound ??= await makeCase();
  return { ...sound, files: new Map(sound.files) };
}

async function makeCase(): Promise<Case> {
  const maker = await openDesk();
  for (const shade of [1, 2]) await publish(maker, { shade });
  const files = await readSoundFiles(maker);
  const { revisionId } = (await maker.catalog.findLatestRevision("plains"))!;
  const [layer] = await maker.catalog.listLayers("plains", revisionId);
  return {
    files,
    manifest: `revisions/${revisionId}/manifest.json`,
    sources: `sources/${revisionId}.json`,
    frame: `frames/mrms-mesh/${layer!.frameId}.png`,
  };
}

/** Returns the message of the refusal. */
async function refusalOf(gitdir: string, limits?: Partial<EventPackLimits>): Promise<string> {
  const { catalog, frames } = desk;
  let detail: string | undefined;
  await importPack({ catalog, frames, gitdir, limits }).catch((error: unknown) => {
    expect(error).toMatchObject({ name: "AppError", code: "source-invalid" });
    detail = (error as Error).message;
  });
  expect(await catalog.listEvents(9)).toEqual([]);
  return detail ?? "It was not refused.";
}

/** Replaces a frame and every reference to it, so that only the frame itself is at fault. */
function replaceFrame({ files, manifest, sources, frame }: Case, bytes: Uint8Array): string {
  const before = /([0-9a-f]{64})\.png$/.exec(frame)![1]!;
  const frameId = sha256Of(bytes);
  const path = frame.replace(before, frameId);
  files.delete(frame);
  files.set(path, { bytes });
  const text = Buffer.from(files.get(manifest)!.bytes).toString().replaceAll(before, frameId);
  files.set(manifest, { bytes: Buffer.from(text) });
  changeJson(files, sources, (value: { layers: object[] }) => ({
    ...value,
    manifestSha256: sha256Of(Buffer.from(text)),
    layers: value.layers.map((layer) => ({ ...layer, frameId })),
  }));
  return path;
}

function changeManifest({ files, manifest, sources }: Case, change: (value: never) => unknown): void {
  changeJson(files, manifest, change);
  const manifestSha256 = sha256Of(files.get(manifest)!.bytes);
  changeJson(files, sources, (value: object) => ({ ...value, manifestSha256 }));
}

const bytes = Buffer.from("x");
const text = (value: string): { bytes: Buffer } => ({ bytes: Buffer.from(value) });

const stray: readonly [string, string, string?][] = [
  ["README.md", fileMode],
  [".gitattributes", fileMode],
  [".git/config", fileMode],
  ["../evil", fileMode],
  ["frames/mrms-mesh/a.png", fileMode],
  ["frames/other/0.png", fileMode],
  ["revisions/R1/manifest.json/x", fileMode],
  ["revisions/R1/other.json", fileMode],
  ["revisions/a b/manifest.json", fileMode],
  ["sources/R1.txt", fileMode],
  ["sources/\x1b[2J.json", fileMode, "sources/\\u001b[2J.json"],
  ["frames/mrms-mesh/\xe2\x80\xae.png", fileMode, "frames/mrms-mesh/\\u202e.png"],
];

test.each(stray)("a stray path %j is refused", async (path, mode, shown = path) => {
  const { files } = await openCase();
  files.set(path, { mode, bytes });
  expect(await refusalOf(await forge(files))).toMatch(
    new RegExp(`^${escapeText(shown)}: .*not part of an event pack`),
  );
});

function escapeText(value: string): string {
  return value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

test.each([
  ["120000", "symbolic link"],
  ["100755", "executable"],
  ["160000", "submodule"],
  ["100664", "not a regular file"],
])("a file of mode %s is refused", async (mode, reason) => {
  for (const place of ["frame", "manifest", "sources"] as const) {
    const hostile = await openCase();
    hostile.files.set(hostile[place], { ...hostile.files.get(hostile[place])!, mode });
    const said = await refusalOf(await forge(hostile.files));
    expect(said).toContain(reason);
    expect(said.startsWith(`${hostile[place]}: `)).toBe(true);
  }
});

const faults: readonly [string, (hostile: Case) => string, string][] = [
  [
    "a frame with another picture",
    (c) => (c.files.set(c.frame, text("x")), c.frame),
    "SHA-256 is not its name",
  ],
  ["a frame that is not a PNG", (c) => replaceFrame(c, Buffer.from("GIF89a")), "not a valid PNG"],
  ["a picture of too many pixels", (c) => replaceFrame(c, hugePng()), "not a valid PNG"],
  ["a missing frame", (c) => (c.files.delete(c.frame), c.frame), "missing"],
  ["a frame that no revision shows", (c) => addFrame(c), "No revision of the pack shows it"],
  [
    "a manifest with another hash",
    (c) => (c.files.set(c.manifest, text("{}")), c.manifest),
    "SHA-256 is not",
  ],
  ["a manifest that is not JSON", (c) => (setManifest(c, "{"), c.manifest), "not JSON"],
  [
    "a manifest that fails its schema",
    (c) => (changeManifest(c, (m: object) => ({ ...m, mode: "x" })), c.manifest),
    "schema at mode",
  ],
  [
    "a manifest with more fields",
    (c) => (changeManifest(c, (m: object) => ({ ...m, x: 1 })), c.manifest),
    "unknown fields",
  ],
  [
    "a manifest of another event",
    (c) => (changeManifest(c, (m: object) => ({ ...m, eventId: "x" })), c.manifest),
    "eventId",
  ],
  [
    "a manifest of another revision",
    (c) => (changeManifest(c, (m: object) => ({ ...m, revisionId: "x" })), c.manifest),
    "revisionId",
  ],
  [
    "a manifest of another sequence",
    (c) => (changeManifest(c, (m: object) => ({ ...m, sequence: 9 })), c.manifest),
    "sequence",
  ],
  ["an image at another address", (c) => (changeImage(c), c.manifest), "is not the frame in sources/"],
  ["missing sources", (c) => (c.files.delete(c.sources), c.manifest), "sources are missing"],
  [
    "sources without a manifest",
    (c) => (c.files.set("sources/R1.json", c.files.get(c.sources)!), "sources/R1.json"),
    "It has no manifest",
  ],
  [
    "sources with more fields",
    (c) => (changeJson(c.files, c.sources, (s: object) => ({ ...s, x: 1 })), c.sources),
    "schema",
  ],
  [
    "sources of another time",
    (c) => (changeLayer(c, { observedAt: "2024-05-01T00:00:00Z" }), c.manifest),
    "differ about",
  ],
  ["a sequence that occurs twice", (c) => (changeSequence(c, 1), c.sources), "occurs twice"],
  ["no pack.json", (c) => (c.files.delete("pack.json"), "pack.json"), "missing"],
  [
    "a pack.json of another version",
    (c) => (changePack(c, { schemaVersion: 2 }), "pack.json"),
    "schema at schemaVersion",
  ],
  [
    "a wrong count",
    (c) => (changePack(c, { revisionCount: 3 }), "pack.json"),
    "revisionCount is 3, but the pack has 2 revisions",
  ],
  ["a label with terminal control characters", (c) => relabel(c, "\u001b]0;x\u0007"), "label"],
  ["a label with a direction mark", (c) => relabel(c, "a\u202eb"), "label"],
  ["a label over the length limit", (c) => relabel(c, "x".repeat(1001)), "label"],
  ["a blank label", (c) => relabel(c, " "), "label"],
  ["steps that are not JSON", (c) => setSteps(c, "{"), "not JSON"],
  ["steps of another event", (c) => setSteps(c, stepsOf("storm", "a")), "another event"],
  ["steps with unknown fields", (c) => setSteps(c, { ...stepsOf("plains", "a"), x: 1 }), "schema"],
  ["a step's view with unknown fields", (c) => setSteps(c, withStep({ view: { ...view, x: 1 } })), "0.view"],
  ["steps of a later version", (c) => setSteps(c, { ...stepsOf("plains"), version: 2 }), "schema at version"],
  ["two steps of one id", (c) => setSteps(c, stepsOf("plains", "a", "a")), "same id"],
  ["a step's title with control characters", (c) => setSteps(c, withStep({ title: "\u001b[2J" })), "visible"],
  ["a step's title over the limit", (c) => setSteps(c, withStep({ title: "x".repeat(121) })), "120"],
  ["notes with a direction mark", (c) => setSteps(c, withStep({ notes: "a\u202eb" })), "plain text"],
  ["steps over 512 KiB", (c) => setSteps(c, " ".repeat(524_290)), "larger than the limit of 524289 bytes"],
  [
    "another latest revision",
    (c) => (changePack(c, { latest: { revisionId: "R1", sequence: 2 } }), "pack.json"),
    "latest",
  ],
  [
    "products without frames",
    (c) => (changePack(c, { products: ["mrms-reflectivity"] }), "pack.json"),
    "products",
  ],
];

test.each(faults)("%s is refused", async (_what, forgeIn, reason) => {
  const hostile = await openCase();
  const path = forgeIn(hostile);
  const said = await refusalOf(await forge(hostile.files));
  expect(said).toContain(reason);
  expect(said.startsWith(`${path}: `)).toBe(true);
});

function relabel(hostile: Case, label: string): string {
  changeJson(hostile.files, "pack.json", (pack: { event: object }) => ({
    ...pack,
    event: { ...pack.event, label },
  }));
  return "pack.json";
}

function withStep(facts: object): object {
  return { ...stepsOf("plains"), steps: [{ ...stepOf("a"), ...facts }] };
}

function setSteps({ files }: Case, content: object | string): string {
  files.set("steps.json", text(typeof content === "string" ? content : JSON.stringify(content)));
  return "steps.json";
}

function setManifest(hostile: Case, content: string): void {
  hostile.files.set(hostile.manifest, text(content));
  const manifestSha256 = sha256Of(Buffer.from(content));
  changeJson(hostile.files, hostile.sources, (value: object) => ({ ...value, manifestSha256 }));
}

function changeImage(hostile: Case): void {
  changeManifest(hostile, (value: { layers: object[] }) => ({
    ...value,
    layers: value.layers.map((layer) => ({ ...layer, imageUrl: "https://elsewhere.example/a.png" })),
  }));
}

function changeLayer({ files, sources }: Case, change: object): void {
  changeJson(files, sources, (value: { layers: object[] }) => ({
    ...value,
    layers: value.layers.map((layer) => ({ ...layer, ...change })),
  }));
}

function changeSequence(hostile: Case, sequence: number): void {
  changeManifest(hostile, (value: object) => ({ ...value, sequence }));
  changeJson(hostile.files, hostile.sources, (value: object) => ({ ...value, sequence }));
}

function changePack({ files }: Case, change: object): void {
  changeJson(files, "pack.json", (value: object) => ({ ...value, ...change }));
}

function addFrame({ files }: Case): string {
  const png = encodePng({
    widthPx: 1,
    heightPx: 1,
    bitDepth: 8,
    colorType: "palette",
    palette: Uint8Array.of(9, 9, 9),
    rows: Uint8Array.of(0),
  });
  const path = `frames/mrms-mesh/${sha256Of(png)}.png`;
  files.set(path, { bytes: png });
  return path;
}

/** Returns a small PNG whose header asks for 16 GB. */
function hugePng(): Uint8Array {
  const png = Buffer.from(
    encodePng({
      widthPx: 1,
      heightPx: 1,
      bitDepth: 8,
      colorType: "palette",
      palette: Uint8Array.of(9, 9, 9),
      rows: Uint8Array.of(0),
    }),
  );
  png.writeUInt32BE(131_072, 16);
  png.writeUInt32BE(131_072, 20);
  return png;
}

test("names that differ only in case, and duplicate names, are refused", async () => {
  for (const names of [
    ["pack.json", "PACK.json"],
    ["pack.json", "pack.json"],
  ]) {
    const gitdir = await forgeWith(async (writer) => {
      const oid = await writer.write("blob", bytes);
      return writer.write("tree", encodeTree(names.map((name) => ({ mode: fileMode, name, oid }))));
    });
    expect(await refusalOf(gitdir)).toMatch(/^(?:pack|PACK)\.json: .*twice/);
  }
});

test("a tree above the limits is refused before it is read", async () => {
  const gitdir = await forgeWith(async (writer) => {
    const oid = await writer.write("blob", bytes);
    const manifest = await writer.write("tree", encodeTree([{ mode: fileMode, name: "manifest.json", oid }]));
    const revisions = Array.from({ length: 300 }, (_, index) => ({
      mode: folderMode,
      name: `R${index}`,
      oid: manifest,
    }));
    const folder = await writer.write("tree", encodeTree(revisions));
    return writer.write("tree", encodeTree([{ mode: folderMode, name: "revisions", oid: folder }]));
  });
  expect(await refusalOf(gitdir, { maxEntries: 200 })).toContain("more than 200 files");
  expect(await refusalOf(gitdir, { maxTreeBytes: 2000 })).toContain("larger than the limit of 2000 bytes");
});

test("an object that inflates to more than the limit is refused without being inflated", async () => {
  const hostile = await openCase();
  const gitdir = await forge(hostile.files);
  const size = 512 << 20;
  const header = Buffer.from(`blob ${size}\0`);
  const bomb = deflateSync(Buffer.concat([header, Buffer.alloc(64 << 20)]));
  const oid = oidOfBytes(hostile.files.get(hostile.frame)!.bytes);
  await writeFile(join(gitdir, "objects", oid.slice(0, 2), oid.slice(2)), bomb);
  const before = process.memoryUsage().rss;
  expect(await refusalOf(gitdir, { maxFrameBytes: 1 << 20 })).toMatch(
    new RegExp(`^${hostile.frame}: It is larger than the limit of \\d+ bytes`),
  );
  expect(process.memoryUsage().rss - before).toBeLessThan(64 << 20);
});

function oidOfBytes(content: Uint8Array): string {
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}

test("a missing or damaged object, or a link, is refused with its path", async () => {
  const ways: readonly ((file: string) => Promise<void>)[] = [
    (file) => rm(file),
    async (file) => {
      await rm(file);
      await symlink("/dev/zero", file);
    },
    async (file) => {
      const content = await readFile(file);
      await writeFile(file, content.subarray(0, content.length >> 1));
    },
    (file) => writeFile(file, deflateSync(Buffer.from("blob 1\0y"))),
  ];
  for (const way of ways) {
    const hostile = await openCase();
    const gitdir = await forge(hostile.files);
    const oid = oidOfBytes(hostile.files.get(hostile.frame)!.bytes);
    await way(join(gitdir, "objects", oid.slice(0, 2), oid.slice(2)));
    expect((await refusalOf(gitdir)).startsWith(`${hostile.frame}: `)).toBe(true);
  }
});

test("a HEAD that points outside the repository is refused", async () => {
  const { files } = await openCase();
  const gitdir = await forge(files);
  await rm(join(gitdir, "refs", "heads", "main"));
  for (const head of ["ref: ../../../../etc/passwd", "ref: refs/heads/../../config", "x".repeat(5000)]) {
    await writeFile(join(gitdir, "HEAD"), head);
    expect(await refusalOf(gitdir)).toMatch(/^HEAD: /);
  }
});
