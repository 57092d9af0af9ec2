// Reads an untrusted pack and cross-checks all of it before any part is used. Only the object store is read: no work
// tree, no Git.
import type * as z from "zod";
import { overlaySourceLimits } from "../../../shared/contract/overlays.ts";
import { maxFramePixels } from "../../../shared/contract/frame-format.ts";
import { isPngError } from "../../../shared/png/png-error.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { checkPng } from "../../platform/png/check.ts";
import type { PackPath } from "./pack-layout.ts";
import { overlaysFile, packFile, stepsFile, toPath } from "./pack-layout.ts";
import { hadOverlay, parseOverlays, requireAllNamed, type PackOverlays } from "./pack-overlays.ts";
import { hadSteps, parseSteps, type PackSteps } from "./pack-steps.ts";
import { createObjectReader, type ObjectReader } from "../git/object-reader.ts";
import { checkPackJson, checkRevision, type CheckedRevision } from "./pack-checks.ts";
import { readHistory, type PackHistory } from "./pack-history.ts";
import { eventPackLimits, type EventPackLimits } from "./event-pack-limits.ts";
import { listEntries, type PackEntry } from "./pack-tree.ts";
import { atPath, refusal } from "./refusal.ts";
import { PackJson, SourcesJson, parsePackFile } from "./schemas.ts";

export interface ReadOptions {
  /** The bare repository, or the `.git` folder. */
  readonly gitdir: string;
  readonly limits?: Partial<EventPackLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Counts frames, which are most of the work. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface CheckedPack {
  readonly commit: string;
  /** First commit; identifies the pack among others of an event with the same id. */
  readonly root: string;
  readonly pack: PackJson;
  /** In ascending sequence. */
  readonly revisions: readonly CheckedRevision[];
  /** Undefined if the event's briefing has none. */
  readonly steps: PackSteps | undefined;
  /** Undefined if the event has none. */
  readonly overlays: PackOverlays | undefined;
  /** Reads a frame's PNG from the store. @throws AppError `source-invalid` */
  readFrame(frameId: string): Promise<Uint8Array>;
  /** Idempotent. */
  close(): Promise<void>;
}

/**
 * The caller closes the result. @throws AppError `source-invalid` with the path in the pack; `not-found`; the signal's
 * reason
 */
export async function readPack(options: ReadOptions): Promise<CheckedPack> {
  const reader = createObjectReader(options.gitdir);
  try {
    return await new PackReading(reader, options).read();
  } catch (error) {
    await reader.close();
    throw error;
  }
}

class PackReading {
  readonly #reader: ObjectReader;
  readonly #options: ReadOptions;
  readonly #limits: EventPackLimits;
  #totalBytes = 0;

  constructor(reader: ObjectReader, options: ReadOptions) {
    this.#reader = reader;
    this.#options = options;
    this.#limits = { ...eventPackLimits, ...options.limits };
  }

  async read(): Promise<CheckedPack> {
    const { gitdir, signal } = this.#options;
    const history = await readHistory(gitdir, this.#reader, this.#limits, signal);
    const entries = await listEntries(this.#reader, history.tree, this.#limits, signal);
    const byPath = new Map(entries.map((entry) => [entry.path, entry]));
    const packEntry = byPath.get(packFile);
    if (!packEntry) throw refusal(packFile, "It is missing, so this is not an event pack.");
    const pack = await this.#readJson(PackJson, packEntry);
    const revisions = await this.#readRevisions(entries, byPath, pack);
    checkPackJson(pack, revisions);
    requireAllUsed(entries, revisions);
    const steps = await this.#readSteps(byPath.get(stepsFile), pack, history);
    const overlays = await this.#readOverlays(entries, history);
    await this.#checkFrames(entries);
    const frameOids = new Map(
      entries.flatMap(({ place, oid, path }) =>
        place.kind === "frame" ? [[place.frameId, { oid, path }] as const] : [],
      ),
    );
    return {
      commit: history.commit,
      root: history.root,
      pack,
      revisions,
      steps,
      overlays,
      readFrame: async (frameId) => {
        const { oid, path } = frameOids.get(frameId)!;
        return atPath(path, () => this.#reader.read(oid, "blob", this.#limits.maxFrameBytes));
      },
      close: () => this.#reader.close(),
    };
  }

  async #readRevisions(
    entries: readonly PackEntry[],
    byPath: ReadonlyMap<string, PackEntry>,
    pack: PackJson,
  ): Promise<readonly CheckedRevision[]> {
    const { maxJsonBytes, maxRevisions } = this.#limits;
    const manifests = entries.filter(({ place }) => place.kind === "manifest");
    if (manifests.length > maxRevisions) {
      throw refusal("revisions", `The pack has more than ${maxRevisions} revisions.`);
    }
    const revisions: CheckedRevision[] = [];
    for (const entry of manifests) {
      this.#options.signal?.throwIfAborted();
      const { revisionId } = entry.place as Extract<PackPath, { kind: "manifest" }>;
      const sourcesPath = toPath({ kind: "sources", revisionId });
      const sourcesEntry = byPath.get(sourcesPath);
      if (!sourcesEntry) throw refusal(entry.path, `Its sources are missing: there is no ${sourcesPath}.`);
      const sources = await this.#readJson(SourcesJson, sourcesEntry);
      const manifestBytes = await this.#readFile(entry, maxJsonBytes);
      const hasFrame = (path: string): boolean => byPath.has(path);
      revisions.push(checkRevision({ pack, revisionId, sources, sourcesPath, manifestBytes, hasFrame }));
    }
    return revisions.sort((a, b) => a.sources.sequence - b.sources.sequence);
  }

  async #readSteps(
    entry: PackEntry | undefined,
    { event }: PackJson,
    { commit }: PackHistory,
  ): Promise<PackSteps | undefined> {
    if (!entry) return undefined;
    const document = parseSteps(await this.#readFile(entry, this.#limits.maxStepsBytes), event.id);
    return { document, hadBefore: (other) => hadSteps(this.#reader, commit, other, this.#limits) };
  }

  async #readOverlays(
    entries: readonly PackEntry[],
    { commit }: PackHistory,
  ): Promise<PackOverlays | undefined> {
    const found = entries.filter(({ place }) => place.kind === "overlay");
    if (found.length > overlaySourceLimits.kept) {
      throw refusal(overlaysFile, `The pack has more than ${overlaySourceLimits.kept} overlays.`);
    }
    const files = new Map<string, Uint8Array>();
    for (const entry of found) {
      files.set(entry.path, await this.#readFile(entry, this.#limits.maxOverlayBytes));
    }
    const json = entries.find(({ place }) => place.kind === "overlays");
    if (!json) {
      requireAllNamed(files, []);
      return undefined;
    }
    const list = parseOverlays(await this.#readFile(json, this.#limits.maxJsonBytes), files);
    const hadBefore = (name: string, bytes: Uint8Array): Promise<boolean> =>
      hadOverlay(this.#reader, commit, { name, bytes }, this.#limits);
    return { list, hadBefore };
  }

  /** Holds one frame in memory at a time. */
  async #checkFrames(entries: readonly PackEntry[]): Promise<void> {
    const { signal, onProgress } = this.#options;
    const frames = entries.filter(({ place }) => place.kind === "frame");
    for (const [index, entry] of frames.entries()) {
      signal?.throwIfAborted();
      const { frameId } = entry.place as Extract<PackPath, { kind: "frame" }>;
      const png = await this.#readFile(entry, this.#limits.maxFrameBytes);
      if (sha256Of(png) !== frameId) throw refusal(entry.path, "Its SHA-256 is not its name.");
      await requirePng(entry.path, png);
      onProgress?.(index + 1, frames.length);
    }
  }

  async #readJson<Value>(schema: z.ZodType<Value>, entry: PackEntry): Promise<Value> {
    return parsePackFile(schema, entry.path, await this.#readFile(entry, this.#limits.maxJsonBytes));
  }

  async #readFile({ path, oid }: PackEntry, maxBytes: number): Promise<Buffer> {
    const bytes = await atPath(path, () => this.#reader.read(oid, "blob", maxBytes));
    this.#totalBytes += bytes.length;
    if (this.#totalBytes > this.#limits.maxTotalBytes) {
      throw refusal(
        path,
        `The files of the pack together are larger than ${this.#limits.maxTotalBytes} bytes.`,
      );
    }
    return bytes;
  }
}

/** Checks the size in its header before anything is inflated; keeps no pixels. */
async function requirePng(path: string, png: Uint8Array): Promise<void> {
  try {
    await checkPng(png, maxFramePixels);
  } catch (error) {
    if (!isPngError(error)) throw error;
    throw refusal(path, `It is not a valid PNG: ${error.message}.`, error);
  }
}

/** @throws AppError `source-invalid` for a file that no other file refers to */
function requireAllUsed(entries: readonly PackEntry[], revisions: readonly CheckedRevision[]): void {
  const ids = new Set(revisions.map(({ sources }) => sources.revisionId));
  const shown = new Set(
    revisions.flatMap(({ sources }) => sources.layers.map((layer) => toPath({ kind: "frame", ...layer }))),
  );
  for (const { path, place } of entries) {
    if (place.kind === "sources" && !ids.has(place.revisionId)) throw refusal(path, "It has no manifest.");
    if (place.kind === "frame" && !shown.has(path)) throw refusal(path, "No revision of the pack shows it.");
  }
}
