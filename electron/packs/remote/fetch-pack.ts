// Fetches the pack of an event from any Git service, revision by revision, into a bare repository here. What was received
// stays: a transfer that is cut off goes on behind its last whole batch. Nothing is believed of a pack but that its objects are
// whole; whether it is an event's pack is the import's question.
import { AppError } from "../../../shared/app-error.ts";
import type { RemoteAddress } from "../../../shared/packs/pairing-code.ts";
import type { Effects } from "../../effects.ts";
import { mainRef, tagRefOf } from "../layout.ts";
import { readRef, writePackedRefs, writeRef } from "../objects/refs.ts";
import { openForWriting } from "../objects/repository.ts";
import { loadAdvertisement, type Advertisement } from "./advertisement.ts";
import { createBatchSize } from "./batch-size.ts";
import { createRemoteHttp, usualHttpLimits, type RemoteHttp } from "./http-client.ts";
import { openPackStore, type PackStore } from "./pack-store.ts";
import { linkError, notGit } from "./remote-error.ts";
import { keepTrying } from "./retries.ts";
import { requestPack } from "./upload-pack.ts";

export interface TransferOptions {
  readonly address: RemoteAddress;
  readonly token: string | undefined;
  /** The bare repository here; made where there is none. */
  readonly gitdir: string;
  readonly effects: Pick<Effects, "sleep" | "random">;
  /** Revisions that are done, of those that there are. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Bytes of every body, in and out, as they pass. */
  readonly onBytes?: (byteLength: number) => void;
  readonly limits?: FetchLimits;
  readonly signal: AbortSignal;
}

export interface FetchLimits {
  /** Of everything that one call receives. */
  readonly maxBytes: number;
  /** Of one answer, which is in memory. */
  readonly maxBatchBytes: number;
  readonly idleMs: number;
}

export const usualFetchLimits: FetchLimits = {
  maxBytes: 2 ** 31,
  maxBatchBytes: 2 ** 28,
  idleMs: usualHttpLimits.idleMs,
};

export interface Transferred {
  /** Of `main`. */
  readonly commit: string;
  readonly status: "complete" | "up to date";
  readonly packs: number;
  readonly byteLength: number;
}

/** A commit that is wanted, and the tag that then names it. */
interface Wanted {
  readonly ref: string;
  readonly oid: string;
}

/**
 * @throws AppError: `invalid-input` for a refused token or another certificate, `not-found` where there is no repository or
 * nothing in it, `upstream-unavailable` and `upstream-rate-limited` for a service that fails, `conflict` for a pack that is
 * larger than the bounds
 */
export async function fetchPack(options: TransferOptions): Promise<Transferred> {
  const limits = options.limits ?? usualFetchLimits;
  const lock = await openForWriting(options.gitdir, options.signal);
  const http = createRemoteHttp({
    ...options,
    limits: { idleMs: limits.idleMs, maxBytes: limits.maxBatchBytes },
  });
  try {
    const store = await openPackStore(options.gitdir);
    const fetching = new Fetching({ ...options, limits }, http, store);
    const commit = await keepTrying(
      () => fetching.run(),
      () => fetching.packs,
      options,
    );
    await store.consolidate();
    const { packs, byteLength } = fetching;
    return { commit, packs, byteLength, status: fetching.hasNews ? "complete" : "up to date" };
  } finally {
    http.close();
    lock.close();
  }
}

/** One fetch through all its attempts. */
class Fetching {
  packs = 0;
  byteLength = 0;
  hasNews = false;
  readonly #options: TransferOptions & { readonly limits: FetchLimits };
  readonly #http: RemoteHttp;
  readonly #store: PackStore;
  readonly #batchSize = createBatchSize();

  constructor(
    options: TransferOptions & { readonly limits: FetchLimits },
    http: RemoteHttp,
    store: PackStore,
  ) {
    this.#options = options;
    this.#http = http;
    this.#store = store;
  }

  /** The commit of `main`, once everything is here. */
  async run(): Promise<string> {
    const { address, gitdir, onProgress } = this.#options;
    const offered = await loadAdvertisement(this.#http, address.url, "git-upload-pack");
    const main = mainOf(offered);
    const tags = revisionTags(offered);
    const missing = tags.filter(({ oid }) => !this.#store.has(oid));
    let done = tags.length - missing.length;
    onProgress?.(done, tags.length);
    for (let at = 0; at < missing.length;) {
      const batch = missing.slice(at, at + this.#batchSize.next());
      const { haves } = this.#havesOf(tags, missing[at]!);
      this.#batchSize.received(batch.length, await this.#receive(offered, batch, haves));
      await writePackedRefs(gitdir, new Map(batch.map(({ ref, oid }) => [ref, oid])));
      at += batch.length;
      done += batch.length;
      onProgress?.(done, tags.length);
    }
    if (!this.#store.has(main)) {
      await this.#receive(offered, [{ ref: mainRef, oid: main }], await this.#newest(tags));
    }
    await this.#nameRest(tags, main);
    return main;
  }

  /** The revisions here that come before the first one missing; the last few say enough. */
  #havesOf(tags: readonly Wanted[], first: Wanted): { readonly haves: readonly string[] } {
    const before = tags.slice(0, tags.indexOf(first)).filter(({ oid }) => this.#store.has(oid));
    return { haves: before.slice(-mostHaves).map(({ oid }) => oid) };
  }

  async #newest(tags: readonly Wanted[]): Promise<readonly string[]> {
    const here = await readRef(this.#options.gitdir, mainRef);
    const haves = tags.filter(({ oid }) => this.#store.has(oid)).slice(-mostHaves);
    const oids = new Set(haves.map(({ oid }) => oid));
    if (here !== undefined && this.#store.has(here)) oids.add(here);
    return [...oids];
  }

  /** Receives one pack and keeps it. Returns its bytes. */
  async #receive(
    offered: Advertisement,
    batch: readonly Wanted[],
    haves: readonly string[],
  ): Promise<number> {
    const { address, limits, signal } = this.#options;
    const pieces: Buffer[] = [];
    let byteLength = 0;
    const wants = [...new Set(batch.map(({ oid }) => oid))];
    try {
      for await (const piece of requestPack(this.#http, address.url, { wants, haves }, offered)) {
        byteLength += piece.length;
        if (this.byteLength + byteLength > limits.maxBytes) throw tooLarge(limits.maxBytes);
        if (byteLength > limits.maxBatchBytes) throw tooLarge(limits.maxBatchBytes);
        pieces.push(piece);
      }
    } catch (error) {
      this.#batchSize.lost();
      throw error;
    } finally {
      this.byteLength += byteLength;
    }
    await this.#store.add(Buffer.concat(pieces), signal);
    if (wants.some((oid) => !this.#store.has(oid))) throw notGit("it does not send what was asked for");
    this.packs++;
    this.hasNews = true;
    return byteLength;
  }

  /** Tags of commits that were here already, then the branch: it is the last to move. */
  async #nameRest(tags: readonly Wanted[], main: string): Promise<void> {
    const { gitdir } = this.#options;
    const unnamed: [string, string][] = [];
    for (const { ref, oid } of tags) if ((await readRef(gitdir, ref)) !== oid) unnamed.push([ref, oid]);
    if (unnamed.length > 0) await writePackedRefs(gitdir, new Map(unnamed));
    const here = await readRef(gitdir, mainRef);
    if (unnamed.length > 0 || here !== main) this.hasNews = true;
    if (here !== main) await writeRef(gitdir, mainRef, main);
  }
}
const mostHaves = 32;

/** `main`, or where there is none what HEAD stands for. */
function mainOf({ refs }: Advertisement): string {
  const main = refs.get(mainRef) ?? refs.get("HEAD");
  if (main === undefined) throw new AppError("not-found", "The repository is empty: it has no pack yet.");
  return main;
}

/** The revisions' tags in rising sequence, each with its commit. */
function revisionTags({ refs, peeled }: Advertisement): readonly Wanted[] {
  const tags: (Wanted & { readonly sequence: number })[] = [];
  for (const [ref, oid] of refs) {
    const sequence = Number(/^refs\/tags\/rev\/([1-9]\d{0,14})$/.exec(ref)?.[1]);
    if (sequence > 0) tags.push({ ref: tagRefOf(sequence), oid: peeled.get(ref) ?? oid, sequence });
  }
  return tags.sort((a, b) => a.sequence - b.sequence);
}

function tooLarge(maxBytes: number): AppError {
  const mebibytes = Math.floor(maxBytes / 2 ** 20);
  return new AppError("conflict", `The pack is larger than the ${mebibytes} MiB that are taken at once.`, {
    cause: linkError("too-large").cause,
  });
}
