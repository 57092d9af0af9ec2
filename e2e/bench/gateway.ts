// Row 10: the gateway against nginx proxying the same origin, in the same run. Measures requests per second and the
// 99th percentile for other visitors and for verified training crawlers, on a page with a head of 20 KiB; for crawlers,
// ours sends a redirect and nginx passes the page. Also measures the added latency, and the host's memory while a body
// of 1 GiB passes through.
import { get } from "node:http";
import { availableParallelism, loadavg } from "node:os";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import { toGrowthRow, type BenchRow } from "./bench-row.ts";
import { hugeBytes, startGatewayDesk, type GatewayDesk } from "./gateway/gateway-desk.ts";
import { compare, measure, type LoadPlan, type Target, type Throughput } from "./http/load.ts";
import { forgetPeak, readMemory } from "../support/process-memory.ts";
import { median } from "./timed-process.ts";

const busy: LoadPlan = { client: "bare socket", connections: 16, rounds: 9, roundMs: 1_000 };
/** One visitor at a time: measures the path, not the queue. */
const calm: LoadPlan = { client: "bare socket", connections: 1, rounds: 9, roundMs: 500 };

const visitors = {
  browser: { name: "other visitors", leastRatio: 0.5, mostAddedMs: 2 },
  crawler: { name: "verified crawlers", leastRatio: 0.3, mostAddedMs: 10 },
} as const;
type VisitorKind = keyof typeof visitors;

export async function run(): Promise<BenchRow[]> {
  const directory = makeTemporaryDirectory("bench-gateway");
  try {
    const desk = await startGatewayDesk(directory);
    if (!desk) return [toAbsent("browser"), toAbsent("crawler")];
    try {
      return [
        ...(await compareRates(desk, "browser")),
        ...(await compareRates(desk, "crawler")),
        ...(await measureAdded(desk)),
        ...(await measureMemory(desk)),
      ];
    } finally {
      await desk.stop();
    }
  } finally {
    removeDirectory(directory);
  }
}

async function compareRates(desk: GatewayDesk, kind: VisitorKind): Promise<BenchRow[]> {
  const [ours, peer] = await measure([desk.gateway[kind], desk.nginx[kind]], busy);
  const rates = compareBy(ours!, peer!, ({ answersPerSecond }) => answersPerSecond);
  const slowest = compareBy(peer!, ours!, ({ p99Ms }) => p99Ms);
  const { leastRatio } = visitors[kind];
  const row = { row: 10, peerName: "nginx proxying the same origin" };
  return [
    {
      ...row,
      ...rates,
      name: nameOf(kind),
      metric: "requests/s",
      target: `${leastRatio}x`,
      met: rates.ratio >= leastRatio,
      note: describe(busy),
    },
    {
      ...row,
      name: `${nameOf(kind)}, 99th percentile`,
      metric: "ms",
      ours: slowest.peer,
      peer: slowest.ours,
      ratio: slowest.ratio,
      target: "-",
      met: null,
      note: describe(busy),
    },
  ];
}

function compareBy(
  ours: readonly Throughput[],
  peer: readonly Throughput[],
  by: (one: Throughput) => number,
) {
  return compare(ours.map(by), peer.map(by));
}

/** Measures the added latency at the 95th percentile, compared with requesting the origin directly. */
async function measureAdded(desk: GatewayDesk): Promise<BenchRow[]> {
  const targets: Target[] = [desk.gateway.browser, desk.gateway.crawler, desk.origin];
  const [browser, crawler, direct] = await measure(targets, calm);
  const toRow = (kind: VisitorKind, through: readonly Throughput[]): BenchRow => {
    const addedMs = median(through.map(({ p95Ms }, round) => p95Ms - direct![round]!.p95Ms));
    const { name, mostAddedMs } = visitors[kind];
    return {
      row: 10,
      name: `latency added by the gateway for ${name}, 95th percentile`,
      metric: "ms",
      ours: addedMs,
      peer: null,
      peerName: "-",
      ratio: null,
      target: `at most ${mostAddedMs}`,
      met: addedMs <= mostAddedMs,
      note: describe(calm),
    };
  };
  return [toRow("browser", browser!), toRow("crawler", crawler!)];
}

/**
 * Measures how far the host's memory grows above its level after the load while the body passes; no row without /proc.
 */
async function measureMemory(desk: GatewayDesk): Promise<BenchRow[]> {
  const pid = desk.host.process.pid!;
  forgetPeak(pid);
  const before = readMemory(pid);
  if (!before) return [];
  const startedMs = performance.now();
  const received = await countBytes(desk);
  const seconds = (performance.now() - startedMs) / 1_000;
  if (received !== hugeBytes) throw new Error(`Only ${received} of ${hugeBytes} bytes arrived.`);
  const growthMib = readMemory(pid)!.peakMib - before.residentMib;
  const note = `${before.residentMib.toFixed(0)} MiB before, ${(received / 1e6 / seconds).toFixed(0)} MB/s`;
  return [toGrowthRow(10, "host memory while a body of 1 GiB passes the gateway", growthMib, note)];
}

function countBytes({ hugeUrl, hostHeader }: GatewayDesk): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(hugeUrl, { headers: { host: hostHeader } }, (response) => {
      let bytes = 0;
      response.on("data", (piece: Buffer) => (bytes += piece.byteLength));
      response.once("error", reject).once("end", () => {
        resolve(bytes);
      });
    });
    request.once("error", reject);
  });
}

const nameOf = (kind: VisitorKind): string => `a page of 24 KiB through the gateway, ${visitors[kind].name}`;

function toAbsent(kind: VisitorKind): BenchRow {
  const nothing = { ours: null, peer: null, peerName: "nginx is not installed", ratio: null, met: null };
  return {
    row: 10,
    name: nameOf(kind),
    metric: "requests/s",
    ...nothing,
    target: `${visitors[kind].leastRatio}x`,
  };
}

function describe({ connections, rounds }: LoadPlan): string {
  const many = connections === 1 ? "1 connection" : `${connections} connections`;
  return `${many}, median of ${rounds} alternating rounds, load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} processors`;
}
