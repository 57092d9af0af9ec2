// Row 3: a frame of one mebibyte over HTTP, against nginx serving the same file. Same client, alternating rounds.
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { toPath } from "../../shared/contract/operations.ts";
import { makeTemporaryDirectory, removeDirectory, startHost } from "../support/host-process.ts";
import type { BenchRow } from "./bench-row.ts";
import { compare, measure, type LoadPlan, type Target, type Throughput } from "./http/load.ts";
import { startNginx } from "./http/nginx.ts";
import { median } from "./timed-process.ts";
import { benchEventId, frameByteLength, seedDirectory } from "./http/seed.ts";

const plan: LoadPlan = { connections: 4, rounds: 15, roundMs: 700 };
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
      const [ours, peer] = await measure(targets, plan);
      return [toRow(toRates(ours!), peer && toRates(peer))];
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

function toRow(rates: readonly number[], peerRates: readonly number[] | undefined): BenchRow {
  const row = {
    row: 3,
    name: `a frame of ${frameByteLength / 1024} KiB over HTTP`,
    metric: "MB/s",
    target: `${leastRatio}x`,
    note: `${plan.connections} connections, median of ${plan.rounds} alternating rounds`,
  };
  if (!peerRates) {
    return {
      ...row,
      ours: median(rates),
      peer: null,
      peerName: "nginx is not installed",
      ratio: null,
      met: null,
    };
  }
  const compared = compare(rates, peerRates);
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
