// Pushes the pack of an event to a Git service, revision by revision in bounded batches: each moves `main` a stretch forward
// and sets the tags of its revisions, so that a transfer that is cut off goes on behind its last whole batch. Nothing is ever
// forced: a repository with other revisions than ours is refused.
import fs from "node:fs";
import * as git from "isomorphic-git";
import { AppError } from "../../../../shared/app-error.ts";
import { tagRefOf } from "../pack-layout.ts";
import { ObjectFault } from "../../git/object-formats.ts";
import { mainRef } from "../../git/refs.ts";
import { createObjectReader, type ObjectReader } from "../../git/object-reader.ts";
import { createBatchSize } from "./batch-size.ts";
import { createRemoteHttp, usualHttpLimits, type RemoteHttp } from "./http-client.ts";
import { createObjectLister, type Commit, type ObjectLister } from "./new-objects.ts";
import { requestPush, type RefCommand } from "./receive-pack.ts";
import { loadRemoteRefs } from "./remote-refs.ts";
import { keepTrying } from "./retries.ts";
import type { Transferred, TransferOptions } from "./transfer-options.ts";

/**
 * @throws AppError: `not-found` where there is no pack here or no repository there, `conflict` where the repository has other
 * revisions or refuses ours, `stored-data-invalid` for a damaged pack here, and as `fetchPack` does
 */
export async function pushPack(options: Omit<TransferOptions, "limits">): Promise<Transferred> {
  const { gitdir } = options;
  const http = createRemoteHttp({ ...options, limits: { ...usualHttpLimits, maxBytes: 2 ** 26 } });
  const reader = createObjectReader(gitdir);
  try {
    const pushing = new Pushing(options, { http, reader }, await readLocalPack(gitdir));
    await keepTrying(
      () => pushing.run(),
      () => pushing.packs,
      options,
    );
    const { packs, byteLength, main } = pushing;
    return { commit: main, packs, byteLength, status: packs > 0 ? "complete" : "up to date" };
  } catch (error) {
    if (!(error instanceof ObjectFault)) throw error;
    throw new AppError("stored-data-invalid", `The pack here is damaged. ${error.message}`, { cause: error });
  } finally {
    http.close();
    await reader.close();
  }
}

interface LocalPack {
  readonly main: string;
  /** The sequences whose tag stands at a commit. */
  readonly tags: ReadonlyMap<string, readonly string[]>;
}

async function readLocalPack(gitdir: string): Promise<LocalPack> {
  let main: string;
  try {
    main = await git.resolveRef({ fs, gitdir, ref: mainRef });
  } catch (error) {
    throw new AppError("not-found", "There is no pack here to push.", { cause: error });
  }
  const tags = new Map<string, string[]>();
  for (const name of await git.listTags({ fs, gitdir })) {
    if (!/^rev\/[1-9]\d*$/.test(name)) continue;
    const ref = tagRefOf(Number(name.slice(4)));
    const oid = await git.resolveRef({ fs, gitdir, ref });
    tags.set(oid, [...(tags.get(oid) ?? []), ref]);
  }
  return { main, tags };
}

/** What the repository there has. */
interface RemotePack {
  readonly main: string | undefined;
  readonly tags: ReadonlyMap<string, string>;
  readonly capabilities: ReadonlySet<string>;
}

/** One push through all its attempts. */
class Pushing {
  packs = 0;
  byteLength = 0;
  readonly main: string;
  readonly #options: Omit<TransferOptions, "limits">;
  readonly #http: RemoteHttp;
  readonly #tags: LocalPack["tags"];
  readonly #cache = {};
  readonly #objects: ObjectLister;
  readonly #batchSize = createBatchSize();

  constructor(
    options: Omit<TransferOptions, "limits">,
    { http, reader }: { readonly http: RemoteHttp; readonly reader: ObjectReader },
    { main, tags }: LocalPack,
  ) {
    this.main = main;
    this.#options = options;
    this.#http = http;
    this.#tags = tags;
    this.#objects = createObjectLister(reader);
  }

  async run(): Promise<void> {
    const { onProgress, signal } = this.#options;
    const remote = await loadRemotePack(this.#http, this.#options.address.url);
    const { missing, known } = await this.#compare(remote);
    const tagsOf = (commits: readonly string[]): RefCommand[] => this.#newTags(commits, remote);
    let done = known.length;
    onProgress?.(done, done + missing.length);
    const forgotten = tagsOf(known);
    // A push that ended between two requests, or somebody who removed them.
    for (let at = 0; at < forgotten.length; at += mostCommands) {
      await this.#send(remote, forgotten.slice(at, at + mostCommands), []);
    }
    let at = remote.main;
    for (let from = 0; from < missing.length;) {
      signal.throwIfAborted();
      const batch = missing.slice(from, from + this.#batchSize.next());
      const newOid = batch.at(-1)!.oid;
      const tags = tagsOf(batch.map(({ oid }) => oid));
      const byteLength = await this.#send(remote, [{ ref: mainRef, oldOid: at, newOid }, ...tags], batch);
      this.#batchSize.received(batch.length, byteLength);
      at = newOid;
      from += batch.length;
      done += batch.length;
      onProgress?.(done, known.length + missing.length);
    }
  }

  /** Our commits that are not there, and those that are, oldest first. */
  async #compare(
    remote: RemotePack,
  ): Promise<{ readonly missing: readonly Commit[]; readonly known: readonly string[] }> {
    const missing: Commit[] = [];
    const known: string[] = [];
    let isKnown = false;
    for (let at: string | undefined = this.main; at !== undefined;) {
      isKnown ||= at === remote.main;
      const commit: Commit = await this.#objects.readCommit(at);
      if (isKnown) known.push(at);
      else missing.push(commit);
      at = commit.parent;
    }
    if (remote.main !== undefined && !isKnown) {
      throw new AppError(
        "conflict",
        "The repository has other revisions than this pack; nothing was pushed, and nothing there was changed.",
      );
    }
    return { missing: missing.reverse(), known: known.reverse() };
  }

  #newTags(commits: readonly string[], remote: RemotePack): RefCommand[] {
    const commands: RefCommand[] = [];
    for (const oid of commits) {
      for (const ref of this.#tags.get(oid) ?? []) {
        const there = remote.tags.get(ref);
        if (there === undefined) commands.push({ ref, oldOid: undefined, newOid: oid });
        else if (there !== oid) {
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

  /** Returns the bytes of the pack. */
  async #send(
    { capabilities }: RemotePack,
    commands: readonly RefCommand[],
    batch: readonly Commit[],
  ): Promise<number> {
    const { address, gitdir } = this.#options;
    const oids = new Set<string>();
    for (const commit of batch) for (const oid of await this.#objects.listNew(commit)) oids.add(oid);
    const { packfile } = await git.packObjects({ fs, gitdir, oids: [...oids], cache: this.#cache });
    if (!packfile) throw new TypeError("A pack that is not written to disk is given back.");
    const [first, ...others] = commands;
    if (!first) return 0;
    try {
      await requestPush(this.#http, address.url, {
        commands: [first, ...others],
        pack: packfile,
        capabilities,
      });
    } catch (error) {
      this.#batchSize.lost();
      throw error;
    }
    this.packs++;
    this.byteLength += packfile.length;
    return packfile.length;
  }
}

/** References in one request that moves no branch. */
const mostCommands = 1000;

async function loadRemotePack(http: RemoteHttp, url: string): Promise<RemotePack> {
  const { refs, capabilities } = await loadRemoteRefs(http, url, { forPush: true });
  return { main: refs.get(mainRef), tags: refs, capabilities };
}
