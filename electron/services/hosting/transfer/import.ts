// Import: branches and tags of another service's repository, over https. The address is judged before anything is connected to; Git
// then has one way out, the guarded proxy.
import { GitFailure } from "../git/git-runner.ts";
import { isArtifactsError } from "../artifacts-error.ts";
import {
  allocationLimit,
  countObjects,
  fetchFlags,
  fetchOptions,
  packBytes,
  type GitPlace,
} from "./fetched.ts";
import { openGuardedProxy, type GuardedProxy } from "./guarded-proxy.ts";
import { parseImportUrl, type ImportUrl } from "./import-url.ts";
import { chooseBranch, parseRemoteRefs } from "./upstream-refs.ts";
import type { Transfer, Transferred } from "./transfer.ts";
import { malformed, toImportError, tookTooLong, tooBig } from "./upstream-failure.ts";
import { vetHost, type IsAllowed, type Resolve } from "./vetted-addresses.ts";

export interface ImportLimits {
  /** Of the packs, in bytes. */
  readonly maxPackBytes: number;
  readonly idleMs: number;
  readonly connectMs: number;
  /** Of the whole import. */
  readonly totalMs: number;
}

export interface ImportOptions {
  readonly isAllowed: IsAllowed;
  readonly resolve: Resolve;
  /** PEM of the certificate authorities that an upstream may have its certificate from, beside or instead of the system's. */
  readonly caFile: string | undefined;
  readonly limits: ImportLimits;
}

type ImportDraft = Parameters<Transfer["import"]>[0];

const maxListingBytes = 16 * 1024 * 1024;
/** Beside the packs: TLS and HTTP around them (about one part in 100), and the listing of refs. */
const maxOverheadBytes = maxListingBytes + 1024 * 1024;

/** @throws as `Transfer.import` */
export async function importRepository(
  draft: ImportDraft,
  target: GitPlace,
  options: ImportOptions,
): Promise<Transferred> {
  const url = parseImportUrl(draft.url);
  const overdue = AbortSignal.timeout(options.limits.totalMs);
  const signal = AbortSignal.any([target.signal, overdue]);
  try {
    return await importWithin(url, draft, { ...target, signal }, options);
  } catch (error) {
    target.signal.throwIfAborted();
    if (overdue.aborted) throw tookTooLong();
    throw error;
  }
}

async function importWithin(
  url: ImportUrl,
  draft: ImportDraft,
  target: GitPlace,
  { isAllowed, resolve, caFile, limits }: ImportOptions,
): Promise<Transferred> {
  const { signal, directory } = target;
  const addresses = await vetHost(url.hostname, { resolve, isAllowed, signal });
  const proxy = await openGuardedProxy({
    ...{ authority: url.authority, port: url.port, addresses },
    ...{ idleMs: limits.idleMs, connectMs: limits.connectMs },
    maxBytes: Math.ceil(limits.maxPackBytes * 1.02) + maxOverheadBytes,
  });
  try {
    const remote = createRemote(target, { url, proxy, caFile });
    const defaultBranch = chooseBranch(
      parseRemoteRefs(await remote(["ls-remote", "--symref"], [])),
      draft.branch,
    );
    await remote(...toFetch(draft));
    if ((await packBytes(directory)) > limits.maxPackBytes) throw tooBig();
    await checkObjects(target);
    return { objects: await countObjects(target), defaultBranch };
  } finally {
    await proxy.close();
  }
}

/** One branch takes the tags on it with it; without one, all branches and all tags come. */
function toFetch({ branch, depth }: ImportDraft): readonly [readonly string[], readonly string[]] {
  const cut = depth === undefined ? [] : [`--depth=${depth}`];
  const command = ["fetch", ...fetchFlags, ...cut];
  if (branch !== undefined) return [command, [`+refs/heads/${branch}:refs/heads/${branch}`]];
  return [command, ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"]];
}

interface RemoteParts {
  readonly url: ImportUrl;
  readonly proxy: GuardedProxy;
  readonly caFile: string | undefined;
}

type RunRemote = (command: readonly string[], after: readonly string[]) => Promise<string>;

/** Git towards the upstream, with the proxy as its only way. The proxy's secret stands in the environment, not in the arguments. */
function createRemote(
  { runner, directory, signal }: GitPlace,
  { url, proxy, caFile }: RemoteParts,
): RunRemote {
  const settings = {
    "protocol.https.allow": "always",
    "http.followRedirects": "false",
    "http.sslVerify": "true",
    "http.proxyAuthMethod": "basic",
    ...(caFile !== undefined && { "http.sslCAInfo": caFile, "http.schannelUseSSLCAInfo": "true" }),
  };
  const pairs = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const way = { https_proxy: proxy.url, HTTPS_PROXY: proxy.url, ALL_PROXY: proxy.url, all_proxy: proxy.url };
  return async (command, after) => {
    try {
      const output = await runner.run({
        args: [...fetchOptions, ...pairs, ...command, "--", url.href, ...after],
        directory,
        env: { ...way, NO_PROXY: "", no_proxy: "", ...allocationLimit },
        signal,
        maxBytes: maxListingBytes,
      });
      return output.toString("utf8");
    } catch (error) {
      if (error instanceof GitFailure) throw toImportError(error, proxy.fault);
      if (isArtifactsError(error, "MEMORY_LIMIT")) throw tooBig(error);
      throw error;
    }
  };
}

/** A server of Git's old protocol is not asked for a pack, so what came from it was not checked on its way. */
async function checkObjects({ runner, directory, signal }: GitPlace): Promise<void> {
  try {
    await runner.run({
      args: ["-c", "core.bigFileThreshold=8m", "fsck", "--strict", "--no-dangling", "--no-progress"],
      directory,
      env: allocationLimit,
      signal,
    });
  } catch (error) {
    throw error instanceof GitFailure ? malformed(error) : error;
  }
}
