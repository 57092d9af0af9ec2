// Row 9: an event pack of 200 MB cloned and pushed by stock Git, against the same Git serving the same repository
// through nginx and `git http-backend`, and the host's memory meanwhile. Alternating rounds; throughput relative to the
// pack's bytes.
import { readdirSync, statSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { gitOk, hasGit } from "../hosting/git.ts";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import { toGrowthRow, type BenchRow } from "./bench-row.ts";
import { makeEventPack, revisionCount } from "./git-transfer/event-pack.ts";
import { startGitPeer } from "./git-transfer/git-peer.ts";
import type { GitServer } from "./git-transfer/git-server.ts";
import { startHosting, type HostingMemory, type HostingServer } from "./git-transfer/hosting.ts";
import { compare } from "./http/load.ts";

const rounds = 5;
const leastRatio = 0.8;
const clonesInARow = 3;

const served = "served";
const refs = ["refs/heads/main:refs/heads/main", "refs/tags/*:refs/tags/*"];

export async function run(): Promise<BenchRow[]> {
  if (!hasGit) return [toAbsent("clone"), toAbsent("push")];
  const directory = makeTemporaryDirectory("bench-git");
  const servers: GitServer[] = [];
  try {
    const pack = await makeEventPack(directory);
    const hosting = await startHosting(join(directory, "hosting"));
    servers.push(hosting);
    const peer = await startGitPeer(join(directory, "peer"));
    servers.push(peer);
    return await measure({ directory, pack, hosting, peer });
  } finally {
    for (const server of servers) await server.stop();
    removeDirectory(directory);
  }
}

interface Desk {
  readonly directory: string;
  /** The bare repository that clients push from. */
  readonly pack: string;
  readonly hosting: HostingServer;
  readonly peer: GitServer;
}

async function measure(desk: Desk): Promise<BenchRow[]> {
  const { hosting, peer, pack } = desk;
  const megabytes = measurePack(pack) / 1e6;
  const remotes = new Map<GitServer, Remote>();
  const fresh = hosting.memory();
  // Clones read the repository that this push creates; the push and one clone per server are also the warm-up.
  for (const server of [hosting, peer]) {
    const remote = await server.create(served);
    await push(pack, remote);
    await clone(desk, remote);
    remotes.set(server, remote);
  }
  const memory = await measureMemory(desk, remotes.get(hosting)!, fresh);
  const clones = await alternate([hosting, peer], (server) => clone(desk, remotes.get(server)!));
  const pushes = await alternate([hosting, peer], (server, round) =>
    pushAnew(desk, server, `round-${round}`),
  );
  return [
    toRow("clone", megabytes, clones, peer.name),
    toRow("push", megabytes, pushes, peer.name),
    ...(memory ? [memory] : []),
  ];
}

interface Remote {
  readonly remote: string;
  readonly token?: string;
}

/** Clones without a work tree, whose writing would load only the client; returns seconds of wall time. */
async function clone({ directory }: Desk, { remote, token }: Remote): Promise<number> {
  const target = join(directory, "clone.git");
  try {
    return await time(["clone", "--quiet", "--bare", remote, target], token);
  } finally {
    removeDirectory(target);
  }
}

async function push(pack: string, { remote, token }: Remote): Promise<number> {
  return time([`--git-dir=${pack}`, "push", "--quiet", remote, ...refs], token);
}

/** Pushes to an empty repository, then deletes it; returns the seconds of the push. */
async function pushAnew({ pack }: Desk, server: GitServer, name: string): Promise<number> {
  const seconds = await push(pack, await server.create(name));
  await server.delete(name);
  return seconds;
}

async function time(args: readonly string[], token: string | undefined): Promise<number> {
  const startedMs = performance.now();
  await gitOk(args, token === undefined ? {} : { token });
  return (performance.now() - startedMs) / 1000;
}

/**
 * Returns the seconds of each round, one array per server. Reverses the order in every other round, so that no server
 * always goes first.
 */
async function alternate(
  servers: readonly GitServer[],
  once: (server: GitServer, round: number) => Promise<number>,
): Promise<number[][]> {
  const results = servers.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    const turn = servers.map((_, index) => (round % 2 === 0 ? index : servers.length - 1 - index));
    for (const index of turn) results[index]!.push(await once(servers[index]!, round));
  }
  return results;
}

/** Measures how far memory grows above its level after a push and a clone; returns undefined without /proc. */
async function measureMemory(
  desk: Desk,
  remote: Remote,
  fresh: HostingMemory | undefined,
): Promise<BenchRow | undefined> {
  const { hosting } = desk;
  hosting.forgetPeak();
  const before = hosting.memory();
  if (!before || !fresh) return undefined;
  for (let count = 0; count < clonesInARow; count += 1) await clone(desk, remote);
  await pushAnew(desk, hosting, "memory");
  const after = hosting.memory()!;
  const name = `host memory in ${clonesInARow} clones and a push in a row`;
  const note = `${toMib(fresh.residentMib)} at start, ${toMib(before.residentMib)} after a push and a clone, ${toMib(after.peakMib)} at the peak, ${toMib(after.residentMib)} after; excluding Git's own processes`;
  return toGrowthRow(9, name, after.peakMib - before.residentMib, note);
}

function toRow(
  what: "clone" | "push",
  megabytes: number,
  [ours, peer]: readonly number[][],
  peerName: string,
): BenchRow {
  const toRates = (seconds: readonly number[] | undefined): number[] =>
    seconds!.map((value) => megabytes / value);
  const compared = compare(toRates(ours), toRates(peer));
  const checks =
    what === "push"
      ? "; both check objects on receipt, store the pack as received and resolve it in one thread"
      : "";
  return {
    row: 9,
    name: toName(what),
    metric: "MB/s",
    ...compared,
    peerName: `${peerName}, same Git`,
    target: `${leastRatio}x`,
    met: compared.ratio >= leastRatio,
    note: `${megabytes.toFixed(0)} MB in ${revisionCount} revisions, stock Git as client, median of ${rounds} alternating rounds, load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} processors${checks}`,
  };
}

function toAbsent(what: "clone" | "push"): BenchRow {
  const nothing = { ours: null, peer: null, peerName: "Git is not installed", ratio: null, met: null };
  return { row: 9, name: toName(what), metric: "MB/s", ...nothing, target: `${leastRatio}x` };
}

const toName = (what: "clone" | "push"): string => `${what} of an event pack`;

const toMib = (value: number): string => `${value.toFixed(0)} MiB`;

/** Returns the bytes of all pack files. */
function measurePack(repository: string): number {
  const folder = join(repository, "objects", "pack");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".pack"))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
