// Import: copies branches and tags of another service's repository over https. The address is checked before any
// connection; Git then has one way out, the guarded proxy.
import { isArtifactsError } from "../artifacts-error.ts";
import { GitFailure, type GitPlace } from "../git/git-runner.ts";
import { maxImportListingBytes } from "../hosting-limits.ts";
import type { ImportDraft } from "../hosting-records.ts";
import {
  allBranchesAndTags,
  allocationLimit,
  countObjects,
  fetchFlags,
  fetchOptions,
  packBytes,
  type Transferred,
  type TransferTarget,
} from "./fetched.ts";
import { openGuardedProxy, type GuardedProxy } from "./guarded-proxy.ts";
import { parseImportUrl, type ImportUrl } from "./import-url.ts";
import { malformed, tookTooLong, tooBig, toImportError } from "./upstream-failure.ts";
import { chooseBranch, parseRemoteRefs } from "./upstream-refs.ts";
import { vetHost, type IsAllowed, type Resolve } from "./vetted-addresses.ts";

export interface ImportLimits {
  /** Byte length of the packs. */
  readonly maxPackBytes: number;
  readonly idleMs: number;
  readonly connectMs: number;
  /** Time for the whole import. */
  readonly totalMs: number;
}

export interface ImportOptions {
  readonly isAllowed: IsAllowed;
  readonly resolve: Resolve;
  /** PEM file of certificate authorities for upstreams, which Git uses in place of the system's. */
  readonly caFile: string | undefined;
  readonly limits: ImportLimits;
}

/** Bytes in addition to the packs: TLS and HTTP around them (about one part in 100), and the listing of refs. */
const maxOverheadBytes = maxImportListingBytes + 1024 * 1024;

/** @throws as `Transfer.import` */
export async function importRepository(
  draft: ImportDraft,
  target: TransferTarget,
  options: ImportOptions,
): Promise<Transferred> {
  const url = parseImportUrl(draft.url);
  const overdue = AbortSignal.timeout(options.limits.totalMs);
  const signal = AbortSignal.any([target.signal, overdue]);
  try {
    return await importFrom(url, draft, { ...target, signal }, options);
  } catch (error) {
    target.signal.throwIfAborted();
    if (overdue.aborted) throw tookTooLong();
    throw error;
  }
}

async function importFrom(
  url: ImportUrl,
  draft: ImportDraft,
  target: TransferTarget,
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
    const refs = parseRemoteRefs(await remote(["ls-remote", "--symref"], []));
    const defaultBranch = chooseBranch(refs, draft.branch);
    await remote(...toFetch(draft));
    if ((await packBytes(directory)) > limits.maxPackBytes) throw tooBig();
    await checkObjects(target);
    return { objects: await countObjects(target), defaultBranch };
  } finally {
    await proxy.close();
  }
}

/** Fetches one branch with the tags on it, or all branches and tags. */
function toFetch({ branch, depth }: ImportDraft): readonly [readonly string[], readonly string[]] {
  const depthFlags = depth === undefined ? [] : [`--depth=${depth}`];
  const refspecs = branch === undefined ? allBranchesAndTags : [`+refs/heads/${branch}:refs/heads/${branch}`];
  return [["fetch", ...fetchFlags, ...depthFlags], refspecs];
}

interface RemoteParts {
  readonly url: ImportUrl;
  readonly proxy: GuardedProxy;
  readonly caFile: string | undefined;
}

/**
 * Runs Git against the upstream, through the proxy only. The proxy's secret is in the environment, not in the
 * arguments.
 */
function createRemote({ runner, directory, signal }: GitPlace, { url, proxy, caFile }: RemoteParts) {
  const settings = {
    "protocol.https.allow": "always",
    "http.followRedirects": "false",
    "http.sslVerify": "true",
    "http.proxyAuthMethod": "basic",
    ...(caFile !== undefined && { "http.sslCAInfo": caFile, "http.schannelUseSSLCAInfo": "true" }),
  };
  const pairs = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const proxies = {
    ...{ https_proxy: proxy.url, HTTPS_PROXY: proxy.url, ALL_PROXY: proxy.url, all_proxy: proxy.url },
    ...{ NO_PROXY: "", no_proxy: "" },
  };
  return async (command: readonly string[], after: readonly string[]): Promise<string> => {
    try {
      const output = await runner.run({
        args: [...fetchOptions, ...pairs, ...command, "--", url.href, ...after],
        directory,
        env: { ...proxies, ...allocationLimit },
        signal,
        maxBytes: maxImportListingBytes,
      });
      return output.toString("utf8");
    } catch (error) {
      if (error instanceof GitFailure) throw toImportError(error, proxy.fault);
      if (isArtifactsError(error, "MEMORY_LIMIT")) throw tooBig(error);
      throw error;
    }
  };
}

/** Checks all objects: a server of Git's old protocol sends no pack, so Git did not check them on arrival. */
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
