// Writes an event as a Git repository: one commit a revision, in ascending sequence, from immutable data, so the same
// event gives the same ids everywhere. An existing pack is continued. Objects are written before references: after a
// crash the repository is valid, and the next export completes it.
import { AppError } from "../../../shared/app-error.ts";
import type { CatalogReader, EventRecord, RevisionRecord, WorkReader } from "../../catalog/catalog.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import { parseInstant } from "../../catalog/plans/instants.ts";
import { toStorageError } from "../../platform/disk/storage-error.ts";
import { GrowingTree } from "./growing-tree.ts";
import {
  frameIdPattern,
  manifestFile,
  packFile,
  revisionIdPattern,
  stepsFile,
  tagRefOf,
  toPath,
} from "./pack-layout.ts";
import { listOverlayFiles } from "./pack-overlays.ts";
import { findStepsFile } from "./pack-steps.ts";
import { encodeCommit, encodeTree, fileMode, oidOf } from "../git/object-formats.ts";
import { createObjectReader } from "../git/object-reader.ts";
import { createObjectWriter, type ObjectWriter } from "../git/object-writer.ts";
import { mainRef, writePackedRefs, writeRef } from "../git/refs.ts";
import { openForWriting } from "../git/repository.ts";
import type { PackOutcome } from "./sharing-types.ts";
import {
  findFinalEvent,
  growEvent,
  toFirstEvent,
  toProducts,
  toSourcesJson,
  type Layers,
} from "./pack-state.ts";
import { readTip, requireSameHistory, type PackTip } from "./pack-tip.ts";
import { PackJson, SourcesJson, toCanonicalJson } from "./schemas.ts";

export interface ExportOptions {
  readonly catalog: CatalogReader & WorkReader;
  readonly frames: Pick<FrameStore, "read">;
  /** Path of the bare repository; created if missing. */
  readonly directory: string;
  readonly eventId: string;
  readonly signal?: AbortSignal | undefined;
  /** Counts revisions. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** References move after this many revisions, so that an interrupted export resumes there. */
const checkpointRevisions = 50;

/**
 * Brings the pack of an event up to date. One export at a time writes to a repository.
 * @throws AppError `not-found` for an unknown event; `conflict` for an event without revisions, a repository of another
 * history, or one that another export holds; `stored-data-invalid` for a lost or damaged frame; `storage-failed`; the
 * signal's reason
 */
export async function exportEvent(options: ExportOptions): Promise<PackOutcome> {
  const { catalog, directory, eventId, signal } = options;
  signal?.throwIfAborted();
  const event = await catalog.findEvent(eventId);
  if (!event) throw new AppError("not-found", `There is no event ${eventId}.`);
  if (event.latestSequence === 0) {
    throw new AppError("conflict", `The event ${eventId} has no revision yet; there is nothing to export.`);
  }
  try {
    const lock = await openForWriting(directory, signal);
    const reader = createObjectReader(directory);
    try {
      const tip = await readTip(directory, reader);
      if (tip) await requireSameHistory(tip, event, catalog);
      return await new PackExport(options, event, tip).run();
    } finally {
      await reader.close();
      lock.close();
    }
  } catch (error) {
    throw toStorageError(error, "The pack could not be written");
  }
}

class PackExport {
  readonly #options: ExportOptions;
  readonly #writer: ObjectWriter;
  readonly #tree: GrowingTree;
  readonly #products: Set<PackJson["products"][number]>;
  #row: EventRecord;
  #pack: PackJson | undefined;
  #commit: string | undefined;
  /** Commit of the branch before the export. */
  readonly #found: string | undefined;
  /** Commit of the branch now. */
  #committed: string | undefined;
  readonly #tags = new Map<string, string>();

  constructor(options: ExportOptions, row: EventRecord, tip: PackTip | undefined) {
    this.#options = options;
    this.#row = row;
    this.#writer = createObjectWriter(options.directory);
    this.#tree = tip?.tree ?? new GrowingTree();
    this.#pack = tip?.pack;
    this.#products = new Set(tip?.pack.products);
    this.#commit = tip?.commit;
    this.#found = tip?.commit;
    this.#committed = tip?.commit;
  }

  async run(): Promise<PackOutcome> {
    const { catalog, eventId } = this.#options;
    await this.#addRevisions();
    // Others may publish meanwhile: the row must not be newer than the last revision in the pack.
    for (;;) {
      this.#row = (await catalog.findEvent(eventId)) ?? this.#row;
      if (this.#row.latestSequence <= (this.#pack?.latest.sequence ?? 0)) break;
      if (!(await this.#addRevisions())) break;
    }
    if (!this.#pack) {
      throw new AppError(
        "conflict",
        `All revisions of the event ${eventId} were removed; there is nothing to export.`,
      );
    }
    const finalEvent = findFinalEvent(this.#pack.event, this.#row);
    if (finalEvent) {
      this.#pack = { ...this.#pack, event: finalEvent };
      await this.#addCommit(`Event ${finalEvent.status}`, finalEvent.updatedAt);
    }
    await this.#addSteps();
    await this.#addOverlays();
    await this.#checkpoint();
    return {
      event: eventId,
      commit: this.#commit!,
      status: this.#commit === this.#found ? "up to date" : "complete",
    };
  }

  /** Adds a commit if the pack has other steps. Its time is the event's, so that an imported event has the same ids. */
  async #addSteps(): Promise<void> {
    const { catalog, eventId } = this.#options;
    const found = this.#tree.find(stepsFile);
    const steps = await findStepsFile(catalog, eventId);
    if (!steps || (steps.count === 0 && found === undefined)) return;
    if (found === oidOf("blob", steps.bytes)) return;
    this.#tree.setFile(stepsFile, await this.#writer.write("blob", steps.bytes));
    await this.#addCommit("Steps of the briefing", this.#row.updatedAt);
  }

  /** Adds a commit if the pack has other overlays. */
  async #addOverlays(): Promise<void> {
    const { catalog, eventId } = this.#options;
    const files = [...(await listOverlayFiles(catalog, eventId))];
    const changed = files.filter(
      ([path, bytes]) => this.#tree.find(path) !== oidOf("blob", Buffer.from(bytes)),
    );
    if (changed.length === 0) return;
    for (const [path, bytes] of changed) {
      this.#tree.setFile(path, await this.#writer.write("blob", bytes));
    }
    await this.#addCommit("Overlays", this.#row.updatedAt);
  }

  /** Returns true if there were any. */
  async #addRevisions(): Promise<boolean> {
    const { catalog, eventId, signal, onProgress } = this.#options;
    const first = this.#pack?.latest.sequence ?? 0;
    let pending = 0;
    for (let after = first; ;) {
      signal?.throwIfAborted();
      const revision = await catalog.findRevisionAfter(eventId, after);
      if (!revision) return after > first;
      if (await this.#addRevision(revision)) pending += 1;
      after = revision.sequence;
      onProgress?.(after - first, Math.max(this.#row.latestSequence, after) - first);
      if (pending < checkpointRevisions) continue;
      pending = 0;
      await this.#checkpoint();
    }
  }

  /** Returns false for a revision that retention has removed meanwhile. */
  async #addRevision(revision: RevisionRecord): Promise<boolean> {
    const { catalog, eventId } = this.#options;
    const { revisionId, sequence } = revision;
    const [first, ...others] = await catalog.listLayers(eventId, revisionId);
    if (!first) return false;
    const layers: Layers = [first, ...others];
    requireNames(revision, layers);
    const sources = toCanonicalJson(SourcesJson, toSourcesJson(revision, layers));
    const [manifestOid, sourcesOid, frames] = await Promise.all([
      this.#writer.write("blob", revision.manifest),
      this.#writer.write("blob", sources),
      this.#writeFrames(revision, layers),
    ]);
    if (!frames) return false;
    for (const [path, oid] of frames) this.#tree.setFile(path, oid);
    const folder = encodeTree([{ mode: fileMode, name: manifestFile, oid: manifestOid }]);
    this.#tree.setFolder(`revisions/${revisionId}`, await this.#writer.write("tree", folder));
    this.#tree.setFile(toPath({ kind: "sources", revisionId }), sourcesOid);
    for (const { productId } of layers) this.#products.add(productId);
    this.#pack = {
      schemaVersion: 1,
      event: growEvent(this.#pack?.event ?? toFirstEvent(this.#row), this.#row, revision, layers),
      products: toProducts(this.#products),
      latest: { revisionId, sequence },
      revisionCount: (this.#pack?.revisionCount ?? 0) + 1,
    };
    await this.#addCommit(`Revision ${sequence}, observed ${revision.observedAt}`, revision.publishedAt);
    this.#tags.set(tagRefOf(sequence), this.#commit!);
    return true;
  }

  /**
   * Writes the frames that the pack lacks, one in memory at a time. Returns paths and object ids, or undefined for a
   * revision that retention has removed meanwhile.
   */
  async #writeFrames(
    { revisionId }: RevisionRecord,
    layers: Layers,
  ): Promise<readonly (readonly [string, string])[] | undefined> {
    const { catalog, frames, eventId } = this.#options;
    const written: [string, string][] = [];
    for (const { productId, frameId } of layers) {
      const path = toPath({ kind: "frame", productId, frameId });
      if (this.#tree.find(path) !== undefined) continue;
      const png = await frames.read(frameId);
      if (png) {
        written.push([path, await this.#writer.write("blob", png, 0)]);
        continue;
      }
      if (!(await catalog.findRevision(eventId, revisionId))) return undefined;
      throw new AppError(
        "stored-data-invalid",
        `The frame of ${productId} in revision ${revisionId} is missing, so the event cannot be exported.`,
      );
    }
    return written;
  }

  async #addCommit(message: string, at: string): Promise<void> {
    const pack = await this.#writer.write("blob", toCanonicalJson(PackJson, this.#pack!));
    this.#tree.setFile(packFile, pack);
    const commit = encodeCommit({
      tree: await this.#tree.write(this.#writer),
      parents: this.#commit === undefined ? [] : [this.#commit],
      message,
      atSeconds: Math.floor(parseInstant(at) / 1000),
    });
    this.#commit = await this.#writer.write("commit", commit);
  }

  async #checkpoint(): Promise<void> {
    const { directory } = this.#options;
    if (this.#commit === undefined || this.#commit === this.#committed) return;
    await this.#writer.sync();
    if (this.#tags.size > 0) await writePackedRefs(directory, this.#tags);
    await writeRef(directory, mainRef, this.#commit);
    this.#tags.clear();
    this.#committed = this.#commit;
  }
}

/**
 * Checks that ids can name files of a pack; those of another service may be too long. @throws AppError
 * `stored-data-invalid`
 */
function requireNames({ revisionId }: RevisionRecord, layers: Layers): void {
  const isFit =
    revisionIdPattern.test(revisionId) && layers.every(({ frameId }) => frameIdPattern.test(frameId));
  if (isFit) return;
  throw new AppError(
    "stored-data-invalid",
    "A revision of the event has an id that cannot be a file name in a pack.",
    { context: { revisionId } },
  );
}
