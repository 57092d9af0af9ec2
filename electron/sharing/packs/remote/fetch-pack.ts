// Fetches the pack of an event from any Git service, revision by revision, into a bare repository here. What was received
// stays: a transfer that is cut off goes on behind its last whole batch. Nothing is believed of a pack but that its objects are
// whole; whether it is an event's pack is the import's question.
import * as git from "isomorphic-git";
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import { tagRefOf } from "../pack-layout.ts";
import { ObjectFault } from "../../git/object-formats.ts";
import { mainRef } from "../../git/refs.ts";
import { createObjectReader } from "../../git/object-reader.ts";
import { openForWriting } from "../../git/repository.ts";
import { createBatchSize } from "./batch-size.ts";
import { consolidatePacks, openHeldPacks, type HeldPacks } from "./held-packs.ts";
import { createRemoteHttp, type RemoteHttp } from "./http-client.ts";
import { createObjectLister } from "./new-objects.ts";
import { linkError, notGit } from "./remote-error.ts";
import { loadRemoteRefs } from "./remote-refs.ts";
import { keepTrying } from "./retries.ts";
import { createSoundFiles } from "./sound-files.ts";
import {
  usualFetchLimits,
  type FetchLimits,
  type Transferred,
  type TransferOptions,
} from "./transfer-options.ts";

/** A reference there, and the commit that it stands for. */
interface Wanted {
  readonly ref: string;
  readonly oid: string;
}

/**
 * The repository here is made where there is none.
 * @throws AppError: `invalid-input` for a refused token or another certificate, `not-found` where there is no repository or
 * nothing in it, `upstream-unavailable` and `upstream-rate-limited` for a service that fails, `conflict` for a pack that is
 * larger than the bounds
 */
export async function fetchPack(options: TransferOptions): Promise<Transferred> {
  const limits = options.limits ?? usualFetchLimits;
  const lock = await openForWriting(options.gitdir, options.signal);
  const http = createRemoteHttp({
    ...options,
    onBytes: createBudget(limits.maxBytes, options.onBytes),
    limits: { idleMs: limits.idleMs, maxBytes: limits.maxBatchBytes },
  });
  try {
    const held = await openHeldPacks(options.gitdir);
    const fetching = new Fetching({ ...options, limits }, http, held);
    const commit = await keepTrying(
      () => fetching.run(),
      () => fetching.packs,
      options,
    );
    await fetching.consolidate();
    const status = fetching.hasNews ? "complete" : "up to date";
    return { commit, status, packs: fetching.packs, byteLength: fetching.byteLength };
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
  #hasTold = false;
  readonly #options: TransferOptions & { readonly limits: FetchLimits };
  readonly #http: RemoteHttp;
  readonly #held: HeldPacks;
  readonly #fs: ReturnType<typeof createSoundFiles>;
  readonly #batchSize = createBatchSize();
  /** Commits that are here with all that they need. */
  readonly #named = new Set<string>();

  constructor(
    options: TransferOptions & { readonly limits: FetchLimits },
    http: RemoteHttp,
    held: HeldPacks,
  ) {
    this.#options = options;
    this.#http = http;
    this.#held = held;
    this.#fs = createSoundFiles(options.limits.maxBatchBytes);
  }

  /** The commit of `main`, once everything is here. */
  async run(): Promise<string> {
    const { address, gitdir, onProgress, signal } = this.#options;
    await git.setConfig({ fs: this.#fs, gitdir, path: `remote.${remoteName}.fetch`, value: noRefs });
    const { refs } = await loadRemoteRefs(this.#http, address.url, { forPush: false });
    const main = mainOf(refs);
    const tags = revisionTags(refs);
    const here = await this.#readRefs();
    const missing = tags.filter(({ ref, oid }) => here.get(ref) !== oid);
    let done = tags.length - missing.length;
    let last = tags.findLast(({ ref, oid }) => here.get(ref) === oid)?.ref ?? mainRef;
    onProgress?.(done, tags.length);
    while (missing.length > 0) {
      signal.throwIfAborted();
      const batch = missing.splice(0, this.#batchSize.next());
      const newest = batch.at(-1)!;
      const byteLength = await this.#bring(newest, last);
      if (byteLength > 0) this.#batchSize.received(batch.length, byteLength);
      await this.#tellFirst(newest.oid);
      // What the newest does not build upon is asked for by itself.
      for (const wanted of batch) if (!this.#held.has(wanted.oid)) await this.#bring(wanted, last);
      for (const wanted of batch) await this.#name(wanted);
      last = newest.ref;
      done += batch.length;
      onProgress?.(done, tags.length);
    }
    if (here.get(mainRef) !== main.oid) {
      await this.#bring(main, last);
      await this.#tellFirst(main.oid);
      await this.#name({ ref: mainRef, oid: main.oid });
    }
    return main.oid;
  }

  async consolidate(): Promise<void> {
    if (this.packs > 0) await consolidatePacks(this.#options.gitdir, this.#fs);
  }

  /**
   * Receives what a reference there needs beyond a local one. Returns the bytes of the pack; 0 where a call before this one had
   * received everything, and was cut off before it could name it.
   */
  async #bring({ ref, oid }: Wanted, have: string): Promise<number> {
    const { gitdir, address, signal } = this.#options;
    if (this.#held.has(oid) && (await this.#isComplete(oid))) return 0;
    this.#http.takeFault();
    try {
      const { fetchHead } = await git.fetch({
        fs: this.#fs,
        http: this.#http,
        gitdir,
        // Indexes and packs that were read are in memory as long as their cache is.
        cache: {},
        url: address.url,
        remote: remoteName,
        ref: have,
        remoteRef: ref,
        singleBranch: true,
        tags: false,
      });
      if (fetchHead !== oid) throw linkError("cut-short", { detail: "the repository changed meanwhile" });
      const packfile = this.#fs.takePack();
      const byteLength = packfile === undefined ? 0 : await this.#held.add(packfile);
      if (packfile === undefined || !(await this.#isComplete(oid))) {
        if (packfile !== undefined) await this.#held.remove(packfile);
        throw notGit("it does not send all that was asked for");
      }
      this.packs++;
      this.hasNews = true;
      this.byteLength += byteLength;
      return byteLength;
    } catch (error) {
      signal.throwIfAborted();
      this.#batchSize.lost();
      throw toRemoteError(this.#http.takeFault() ?? error);
    }
  }

  async #tellFirst(oid: string): Promise<void> {
    if (this.#hasTold) return;
    this.#hasTold = true;
    await this.#options.onFirstCommit?.(oid);
  }

  /** Whether a commit has everything that it needs, back to one that has a name here. */
  async #isComplete(oid: string): Promise<boolean> {
    const reader = createObjectReader(this.#options.gitdir);
    const objects = createObjectLister(reader);
    try {
      for (let at: string | undefined = oid; at !== undefined && !this.#named.has(at);) {
        const commit = await objects.readCommit(at);
        if ((await objects.listNew(commit)).some((needed) => !this.#held.has(needed))) return false;
        at = commit.parent;
      }
      return true;
    } catch (error) {
      if (error instanceof ObjectFault) return false;
      throw error;
    } finally {
      await reader.close();
    }
  }

  /** The references of ours that stand here already. */
  async #readRefs(): Promise<ReadonlyMap<string, string>> {
    const { gitdir } = this.#options;
    const refs = new Map<string, string>();
    const names = (await git.listTags({ fs: this.#fs, gitdir })).map((name) => `refs/tags/${name}`);
    for (const ref of [...names, mainRef]) {
      // One that a power cut left empty is as good as none.
      const oid = await git.resolveRef({ fs: this.#fs, gitdir, ref }).catch(() => undefined);
      if (oid === undefined || !this.#held.has(oid)) continue;
      refs.set(ref, oid);
      this.#named.add(oid);
    }
    return refs;
  }

  async #name({ ref, oid }: Wanted): Promise<void> {
    await git.writeRef({ fs: this.#fs, gitdir: this.#options.gitdir, ref, value: oid, force: true });
    this.#named.add(oid);
    this.hasNews = true;
  }
}

/** Its configuration takes no reference over by itself: what is named here is named above. */
const remoteName = "origin";
const noRefs = "+refs/echotop/none/*:refs/remotes/origin/*";

/** `main`, or where there is none what HEAD stands for. */
function mainOf(refs: ReadonlyMap<string, string>): Wanted {
  for (const ref of [mainRef, "HEAD"]) {
    const oid = refs.get(ref);
    if (oid !== undefined) return { ref, oid };
  }
  throw new AppError("not-found", "The repository is empty: it has no pack yet.");
}

/** The revisions' tags in rising sequence. */
function revisionTags(refs: ReadonlyMap<string, string>): readonly Wanted[] {
  const tags: (Wanted & { readonly sequence: number })[] = [];
  for (const [ref, oid] of refs) {
    const sequence = Number(/^refs\/tags\/rev\/([1-9]\d{0,14})$/.exec(ref)?.[1]);
    if (sequence > 0) tags.push({ ref: tagRefOf(sequence), oid, sequence });
  }
  return tags.sort((a, b) => a.sequence - b.sequence);
}

/** Errors of ours pass; what isomorphic-git says of bytes that it cannot read is for the log. */
function toRemoteError(error: unknown): unknown {
  if (isAppError(error)) return error;
  return notGit("what it sends cannot be read", error);
}

/** Counts what one fetch receives. */
function createBudget(
  maxBytes: number,
  onBytes: ((byteLength: number) => void) | undefined,
): (byteLength: number) => void {
  let spent = 0;
  return (byteLength) => {
    spent += byteLength;
    onBytes?.(byteLength);
    if (spent <= maxBytes) return;
    const mebibytes = Math.ceil(maxBytes / 2 ** 20);
    throw new AppError("conflict", `The pack is larger than the ${mebibytes} MiB that are taken at once.`);
  };
}
