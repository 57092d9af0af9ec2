// Fetches an event pack from any Git service, revision by revision, into a bare repository here. Received batches stay,
// so an interrupted fetch resumes after its last complete batch. Only the integrity of objects is checked here; the
// import checks that they are an event's pack.
import * as git from "isomorphic-git";
import {
  defaultFetchLimits,
  type FetchLimits,
  type RemoteOptions,
  type Transferred,
} from "./transfer-limits.ts";
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import { ObjectFault } from "../../git/object-formats.ts";
import { createObjectReader } from "../../git/object-reader.ts";
import { mainRef, readRef } from "../../git/refs.ts";
import { openForWriting } from "../../git/repository.ts";
import { listRevisionTags, parseTagRef } from "../pack-layout.ts";
import { consolidatePacks, openHeldPacks, type HeldPacks } from "./held-packs.ts";
import { createRemoteHttp, type RemoteHttp } from "./http-client.ts";
import { createObjectLister } from "./new-objects.ts";
import { linkError, notGit } from "./remote-error.ts";
import { loadRemoteRefs } from "./remote-refs.ts";
import { createSoundFiles } from "./sound-files.ts";
import { createBatchSize, keepTrying } from "./transfer-pace.ts";

export interface FetchOptions extends RemoteOptions {
  /** Called with the first commit that is here with all its objects; an error it throws ends the fetch. */
  readonly onFirstCommit?: (commit: string) => Promise<void>;
  readonly limits?: FetchLimits;
}

/** A remote reference and its commit. */
interface Wanted {
  readonly ref: string;
  readonly oid: string;
}

/**
 * Creates the repository here if it is missing.
 * @throws AppError: `invalid-input` for a refused token or another certificate, `not-found` for a missing or empty
 * repository, `upstream-unavailable` and `upstream-rate-limited` for a service that fails, `conflict` for a pack over
 * the limits
 */
export async function fetchPack(options: FetchOptions): Promise<Transferred> {
  const limits = options.limits ?? defaultFetchLimits;
  const lock = await openForWriting(options.gitdir, options.signal);
  let receivedBytes = 0;
  const http = createRemoteHttp({
    ...options,
    onBytes: (byteLength) => {
      receivedBytes += byteLength;
      options.onBytes?.(byteLength);
      if (receivedBytes <= limits.maxBytes) return;
      const mebibytes = Math.ceil(limits.maxBytes / 2 ** 20);
      throw new AppError("conflict", `The pack is larger than the limit of ${mebibytes} MiB for one fetch.`);
    },
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

/** One fetch with all its attempts. */
class Fetching {
  packs = 0;
  byteLength = 0;
  hasNews = false;
  #hasReported = false;
  readonly #options: FetchOptions & { readonly limits: FetchLimits };
  readonly #http: RemoteHttp;
  readonly #held: HeldPacks;
  readonly #fs: ReturnType<typeof createSoundFiles>;
  readonly #batchSize = createBatchSize();
  /** Commits that are here with all their objects. */
  readonly #named = new Set<string>();

  constructor(options: FetchOptions & { readonly limits: FetchLimits }, http: RemoteHttp, held: HeldPacks) {
    this.#options = options;
    this.#http = http;
    this.#held = held;
    this.#fs = createSoundFiles(options.limits.maxBatchBytes);
  }

  /** Returns the commit of `main` once everything is here. */
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
      const byteLength = await this.#receive(newest, last);
      if (byteLength > 0) this.#batchSize.received(batch.length, byteLength);
      await this.#reportFirst(newest.oid);
      // A commit that the newest is not based on needs its own request.
      for (const wanted of batch) if (!this.#held.has(wanted.oid)) await this.#receive(wanted, last);
      for (const wanted of batch) await this.#writeRef(wanted);
      last = newest.ref;
      done += batch.length;
      onProgress?.(done, tags.length);
    }
    if (here.get(mainRef) !== main.oid) {
      await this.#receive(main, last);
      await this.#reportFirst(main.oid);
      await this.#writeRef({ ref: mainRef, oid: main.oid });
    }
    return main.oid;
  }

  async consolidate(): Promise<void> {
    if (this.packs > 0) await consolidatePacks(this.#options.gitdir, this.#fs);
  }

  /**
   * Receives the objects that a remote reference needs and a local one lacks. Returns the bytes of the packfile; 0 if
   * an earlier call received everything and was interrupted before it wrote the reference.
   */
  async #receive({ ref, oid }: Wanted, have: string): Promise<number> {
    const { gitdir, address, signal } = this.#options;
    if (this.#held.has(oid) && (await this.#isComplete(oid))) return 0;
    this.#http.takeFault();
    try {
      const { fetchHead } = await git.fetch({
        fs: this.#fs,
        http: this.#http,
        gitdir,
        // The cache holds every index and packfile that was read, so each call gets its own.
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
        throw notGit("it does not send all requested objects");
      }
      this.packs++;
      this.hasNews = true;
      this.byteLength += byteLength;
      return byteLength;
    } catch (error) {
      signal.throwIfAborted();
      this.#batchSize.lost();
      const fault = this.#http.takeFault() ?? error;
      throw isAppError(fault) ? fault : notGit("its response cannot be read", fault);
    }
  }

  async #reportFirst(oid: string): Promise<void> {
    if (this.#hasReported) return;
    this.#hasReported = true;
    await this.#options.onFirstCommit?.(oid);
  }

  /** Returns true if a commit and its ancestors, back to a referenced one, have all their objects here. */
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

  /** Returns the references that exist here with their objects. */
  async #readRefs(): Promise<ReadonlyMap<string, string>> {
    const { gitdir } = this.#options;
    // A reference that a power cut left damaged counts as missing.
    const main = await readRef(gitdir, mainRef).catch(() => undefined);
    const found = [
      ...(await listRevisionTags(gitdir)),
      ...(main === undefined ? [] : [[mainRef, main] as const]),
    ];
    const refs = new Map(found.filter(([, oid]) => this.#held.has(oid)));
    for (const oid of refs.values()) this.#named.add(oid);
    return refs;
  }

  async #writeRef({ ref, oid }: Wanted): Promise<void> {
    await git.writeRef({ fs: this.#fs, gitdir: this.#options.gitdir, ref, value: oid, force: true });
    this.#named.add(oid);
    this.hasNews = true;
  }
}

/** The refspec matches nothing: isomorphic-git must write no reference itself. */
const remoteName = "origin";
const noRefs = "+refs/echotop/none/*:refs/remotes/origin/*";

/** Returns `main`, or HEAD if there is no `main`. */
function mainOf(refs: ReadonlyMap<string, string>): Wanted {
  const ref = [mainRef, "HEAD"].find((name) => refs.has(name));
  if (ref === undefined) throw new AppError("not-found", "The repository is empty: it has no pack yet.");
  return { ref, oid: refs.get(ref)! };
}

/** Returns the tags of revisions, in ascending sequence. */
function revisionTags(refs: ReadonlyMap<string, string>): readonly Wanted[] {
  return [...refs]
    .map(([ref, oid]) => ({ ref, oid, sequence: parseTagRef(ref) ?? 0 }))
    .filter(({ sequence }) => sequence > 0)
    .sort((a, b) => a.sequence - b.sequence);
}
