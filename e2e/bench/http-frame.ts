// Row 3: a frame of 1 MiB over HTTP, against nginx serving the same file, to two clients: Node's own, as programs use
// it, and one that only counts bytes, which measures almost only the server. nginx uses sendfile, which Node does not
// offer. A third server, bare node:http with the frame in memory, shows how fast Node can be without it.
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { toPath } from "../../shared/contract/operations.ts";
import { makeTemporaryDirectory, removeDirectory, startHost } from "../../electron/support/host-process.ts";
import type { BenchRow } from "./bench-row.ts";
import { compare, measure, type LoadPlan, type Target } from "./http/load.ts";
import { startNginx } from "../support/nginx.ts";
import { startRecordedPeer } from "./http/recorded-peer.ts";
import { benchEventId, frameByteLength, seedDirectory } from "./http/seed.ts";
import { median } from "./timed-process.ts";

/** Two connections: the viewer requests both frames of a revision at the same time. */
const load = { connections: 2, rounds: 15, roundMs: 700 };
const programs: LoadPlan = { client: "node:http", ...load };
const counting: LoadPlan = { client: "bare socket", ...load };
const leastRatio = 0.7;

const frameName = `a frame of ${frameByteLength / 1024} KiB over HTTP`;
const countedName = `${frameName}, byte-counting client`;

export async function run(): Promise<BenchRow[]> {
  const directory = makeTemporaryDirectory("bench-frame");
  const data = join(directory, "data");
  try {
    const { frameId } = await seedDirectory(data);
    const root = join(directory, "root");
    mkdirSync(root);
    copyFileSync(findFrameFile(data, frameId), join(root, "frame.png"));
    const path = toPath("getFrame", { eventId: benchEventId, productId: "mrms-mesh", frameId });
    const host = await startHost(data);
    const nginx = await startNginx(root, join(directory, "nginx"));
    const bare = await startRecordedPeer(host.origin, [path]);
    try {
      const ours: Target = { port: Number(new URL(host.origin).port), path, status: 200 };
      const fromMemory: Target = { port: bare.port, path, status: 200 };
      const fromNginx: Target[] = nginx ? [{ port: nginx.port, path: "/frame.png", status: 200 }] : [];
      const [asked, nginxAsked] = await measureRates([ours, ...fromNginx], programs);
      const [counted, memoryCounted, nginxCounted] = await measureRates(
        [ours, fromMemory, ...fromNginx],
        counting,
      );
      return [
        toNginxRow(frameName, programs, asked!, nginxAsked),
        toNginxRow(countedName, counting, counted!, nginxCounted),
        toMemoryRow(counted!, memoryCounted!),
      ];
    } finally {
      bare.stop();
      await nginx?.stop();
      await host.stop();
    }
  } finally {
    removeDirectory(directory);
  }
}

/** Returns the throughput in MB/s: one array per target, one number per round. */
async function measureRates(targets: readonly Target[], plan: LoadPlan): Promise<number[][]> {
  const measured = await measure(targets, plan);
  return measured.map((rounds) => rounds.map(({ bytesPerSecond }) => bytesPerSecond / 1e6));
}

/** Returns the comparison with nginx; `peer` is undefined if nginx is not installed. */
function toNginxRow(
  name: string,
  plan: LoadPlan,
  ours: readonly number[],
  peer: readonly number[] | undefined,
): BenchRow {
  const row = { row: 3, name, metric: "MB/s", target: `${leastRatio}x`, note: describe(plan) };
  if (!peer) {
    const peerName = "nginx is not installed";
    return { ...row, ours: median(ours), peer: null, peerName, ratio: null, met: null };
  }
  const compared = compare(ours, peer);
  return { ...row, ...compared, peerName: "nginx (sendfile), same file", met: compared.ratio >= leastRatio };
}

/** Returns the comparison with Node itself, which has no target: it shows Node's share of the gap to nginx. */
function toMemoryRow(ours: readonly number[], peer: readonly number[]): BenchRow {
  return {
    row: 3,
    name: countedName,
    metric: "MB/s",
    ...compare(ours, peer),
    peerName: "bare node:http, same bytes from memory",
    target: "-",
    met: null,
    note: `${describe(counting)}; node:http copies every byte into the kernel, which sendfile saves nginx`,
  };
}

function describe({ client, connections, rounds }: LoadPlan): string {
  return `${client} client, ${connections} connections, median of ${rounds} alternating rounds`;
}

/** Returns the path of a stored frame; the frame store chooses the folder. */
function findFrameFile(data: string, frameId: string): string {
  const file = readdirSync(data, { recursive: true, withFileTypes: true }).find(
    (entry) => entry.isFile() && entry.name.includes(frameId),
  );
  if (!file) throw new Error("The stored frame was not found.");
  return join(file.parentPath, file.name);
}
