// Row 3: a frame of one mebibyte over HTTP, against nginx serving the same file. Same client, alternating rounds. The
// figure is Node's own HTTP client's; what a client that only counts bytes sees is told beside it, because there the
// kernel's copy of every byte, which sendfile saves nginx, is most of the work.
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { toPath } from "../../shared/contract/operations.ts";
import { makeTemporaryDirectory, removeDirectory, startHost } from "../support/host-process.ts";
import type { BenchRow } from "./bench-row.ts";
import { compare, measure, type LoadPlan, type Target, type Throughput } from "./http/load.ts";
import { startNginx } from "./http/nginx.ts";
import { benchEventId, frameByteLength, seedDirectory } from "./http/seed.ts";
import { median } from "./timed-process.ts";

/** Two connections: the viewer asks for both frames of a revision at once. */
const plan: LoadPlan = { client: "node:http", connections: 2, rounds: 15, roundMs: 700 };
const leastRatio = 0.7;

export async function run(): Promise<BenchRow[]> {
  const directory = makeTemporaryDirectory("bench-frame");
  const data = join(directory, "data");
  try {
    const { frameId } = await seedDirectory(data);
    const root = join(directory, "root");
    mkdirSync(root);
    copyFileSync(findFrameFile(data, frameId), join(root, "frame.png"));
    const host = await startHost(data);
    const nginx = await startNginx(root, join(directory, "nginx"));
    try {
      const path = toPath("getFrame", { eventId: benchEventId, productId: "mrms-mesh", frameId });
      const targets: Target[] = [{ port: Number(new URL(host.origin).port), path, status: 200 }];
      if (nginx) targets.push({ port: nginx.port, path: "/frame.png", status: 200 });
      const bare: LoadPlan = { ...plan, client: "bare socket" };
      const figure = toRow(plan, await measure(targets, plan));
      const beside = toRow(bare, await measure(targets, bare));
      return [
        figure,
        { ...beside, name: "the same, to a client that only counts bytes", target: "-", met: null },
      ];
    } finally {
      await nginx?.stop();
      await host.stop();
    }
  } finally {
    removeDirectory(directory);
  }
}

/** Megabytes a second of each round. */
function toRates(rounds: readonly Throughput[]): number[] {
  return rounds.map(({ bytesPerSecond }) => bytesPerSecond / 1e6);
}

function toRow({ client, connections, rounds }: LoadPlan, [ours, peer]: readonly Throughput[][]): BenchRow {
  const row = {
    row: 3,
    name: `a frame of ${frameByteLength / 1024} KiB over HTTP`,
    metric: "MB/s",
    target: `${leastRatio}x`,
    note: `${client} client, ${connections} connections, median of ${rounds} alternating rounds`,
  };
  const rates = toRates(ours!);
  if (!peer) {
    return {
      ...row,
      ours: median(rates),
      peer: null,
      peerName: "nginx is not installed",
      ratio: null,
      met: null,
    };
  }
  const compared = compare(rates, toRates(peer));
  return { ...row, ...compared, peerName: "nginx, same file", met: compared.ratio >= leastRatio };
}

/** The frame store names a file after the frame, in folders that are its own business. */
function findFrameFile(data: string, frameId: string): string {
  const file = readdirSync(data, { recursive: true, withFileTypes: true }).find(
    (entry) => entry.isFile() && entry.name.includes(frameId),
  );
  if (!file) throw new Error("The stored frame was not found.");
  return join(file.parentPath, file.name);
}
