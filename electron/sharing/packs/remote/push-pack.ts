// Pushes an event pack to a repository, revision by revision in bounded batches. Each batch moves `main` forward and
// sets the tags of its revisions, so an interrupted push resumes after its last complete batch. Nothing is forced: a
// repository with other revisions is refused.
import fs from "node:fs";
import * as git from "isomorphic-git";
import { AppError } from "../../../../shared/app-error.ts";
import { ObjectFault } from "../../git/object-formats.ts";
import { createObjectReader } from "../../git/object-reader.ts";
import { mainRef, readRef } from "../../git/refs.ts";
import { listRevisionTags } from "../pack-layout.ts";
import { createRemoteHttp } from "./http-client.ts";
import { createObjectLister, type Commit, type ObjectLister } from "./new-objects.ts";
import { requestPush, toStream, type PushRemote, type RefCommand } from "./push-request.ts";
import { loadRemoteRefs, type RemoteRefs } from "./remote-refs.ts";
import { createBatchSize, keepTrying } from "./transfer-pace.ts";
import {
  defaultHttpLimits,
  mostCommands,
  mostPushAnswerBytes,
  type RemoteOptions,
  type Transferred,
  type TransferOptions,
} from "./transfer-limits.ts";

/** Pushes over HTTP. @throws AppError as `pushPackTo`, and for a service that fails as `fetchPack` */
export function pushPack(options: RemoteOptions): Promise<Transferred> {
  return pushPackTo(createHttpRemote(options), options);
}

export function createHttpRemote(options: Omit<RemoteOptions, "gitdir">): PushRemote {
  const { url } = options.address;
  const http = createRemoteHttp({
    ...options,
    limits: { ...defaultHttpLimits, maxBytes: mostPushAnswerBytes },
  });
  return {
    loadRefs: () => loadRemoteRefs(http, url, { forPush: true }),
    async push(pieces) {
      const headers = {
        "content-type": "application/x-git-receive-pack-request",
        accept: "application/x-git-receive-pack-result",
      };
      const body = toStream(pieces);
      return (await http.request({ url: `${url}/git-receive-pack`, method: "POST", headers, body })).body;
    },
    close: () => {
      http.close();
    },
  };
}

/**
 * Closes `remote` when done.
 * @throws AppError: `not-found` if there is no pack here, `conflict` if the repository has other revisions or refuses
 * the push, `stored-data-invalid` for a damaged pack here
 */
export async function pushPackTo(remote: PushRemote, options: TransferOptions): Promise<Transferred> {
  const { gitdir } = options;
  const reader = createObjectReader(gitdir);
  try {
    const main = await readRef(gitdir, mainRef);
    if (main === undefined) throw new AppError("not-found", "There is no pack here to push.");
    const tags = await listRevisionTags(gitdir);
    const pushing = new Pushing(options, remote, { main, tags, objects: createObjectLister(reader) });
    await keepTrying(
      () => pushing.run(),
      () => pushing.packs,
      options,
    );
    const { packs, byteLength } = pushing;
    return { commit: main, packs, byteLength, status: packs > 0 ? "complete" : "up to date" };
  } catch (error) {
    if (!(error instanceof ObjectFault)) throw error;
    throw new AppError("stored-data-invalid", `The pack here is damaged. ${error.message}`, { cause: error });
  } finally {
    remote.close();
    await reader.close();
  }
}

interface LocalPack {
  readonly main: string;
  /** From tag to commit. */
  readonly tags: ReadonlyMap<string, string>;
  readonly objects: ObjectLister;
}

/** One push with all its attempts. */
class Pushing {
  packs = 0;
  byteLength = 0;
  readonly #options: TransferOptions;
  readonly #remote: PushRemote;
  readonly #local: LocalPack;
  readonly #tagsOf: ReadonlyMap<string, readonly string[]>;
  readonly #cache = {};
  readonly #batchSize = createBatchSize();

  constructor(options: TransferOptions, remote: PushRemote, local: LocalPack) {
    this.#options = options;
    this.#remote = remote;
    this.#local = local;
    const byCommit = Map.groupBy(local.tags, ([, oid]) => oid);
    this.#tagsOf = new Map([...byCommit].map(([oid, tags]) => [oid, tags.map(([ref]) => ref)]));
  }

  async run(): Promise<void> {
    const { onProgress, signal } = this.#options;
    const remote = await this.#remote.loadRefs();
    const { missing, known } = await this.#compare(remote);
    let done = known.length;
    onProgress?.(done, done + missing.length);
    // Tags are missing if a push ended between two requests, or somebody removed them.
    const forgotten = this.#newTags(known, remote);
    for (let at = 0; at < forgotten.length; at += mostCommands) {
      await this.#send(remote, forgotten.slice(at, at + mostCommands), []);
    }
    let oldOid = remote.refs.get(mainRef);
    for (let from = 0; from < missing.length;) {
      signal.throwIfAborted();
      const batch = missing.slice(from, from + this.#batchSize.next());
      const newOid = batch.at(-1)!.oid;
      const tags = this.#newTags(
        batch.map(({ oid }) => oid),
        remote,
      );
      const byteLength = await this.#send(remote, [{ ref: mainRef, oldOid, newOid }, ...tags], batch);
      this.#batchSize.received(batch.length, byteLength);
      oldOid = newOid;
      from += batch.length;
      done += batch.length;
      onProgress?.(done, known.length + missing.length);
    }
  }

  /** Returns our commits that the repository lacks and those it has, oldest first. */
  async #compare({
    refs,
  }: RemoteRefs): Promise<{ readonly missing: readonly Commit[]; readonly known: readonly string[] }> {
    const remoteMain = refs.get(mainRef);
    const missing: Commit[] = [];
    const known: string[] = [];
    let isKnown = false;
    for (let at: string | undefined = this.#local.main; at !== undefined;) {
      isKnown ||= at === remoteMain;
      const commit: Commit = await this.#local.objects.readCommit(at);
      if (isKnown) known.push(at);
      else missing.push(commit);
      at = commit.parent;
    }
    if (remoteMain !== undefined && !isKnown) {
      throw new AppError(
        "conflict",
        "The repository has other revisions than this pack; nothing was pushed, and nothing there was changed.",
      );
    }
    return { missing: missing.reverse(), known: known.reverse() };
  }

  #newTags(commits: readonly string[], { refs }: RemoteRefs): RefCommand[] {
    const commands: RefCommand[] = [];
    for (const newOid of commits) {
      for (const ref of this.#tagsOf.get(newOid) ?? []) {
        const remoteOid = refs.get(ref);
        if (remoteOid === undefined) commands.push({ ref, oldOid: undefined, newOid });
        else if (remoteOid !== newOid) {
          const name = ref.replace("refs/tags/", "");
          throw new AppError(
            "conflict",
            `The repository has another commit as ${name}; nothing there was changed.`,
          );
        }
      }
    }
    return commands;
  }

  /** Returns the length of the packfile in bytes. */
  async #send(
    { capabilities }: RemoteRefs,
    [first, ...others]: readonly RefCommand[],
    batch: readonly Commit[],
  ): Promise<number> {
    if (!first) return 0;
    const oids = new Set<string>();
    for (const commit of batch) for (const oid of await this.#local.objects.listNew(commit)) oids.add(oid);
    const { gitdir } = this.#options;
    const { packfile } = await git.packObjects({ fs, gitdir, oids: [...oids], cache: this.#cache });
    if (!packfile) throw new TypeError("isomorphic-git returns a packfile unless it writes it.");
    // The remote may free the memory of what it is given.
    const byteLength = packfile.length;
    try {
      await requestPush(this.#remote, { commands: [first, ...others], pack: packfile, capabilities });
    } catch (error) {
      this.#batchSize.lost();
      throw error;
    }
    this.packs++;
    this.byteLength += byteLength;
    return byteLength;
  }
}
