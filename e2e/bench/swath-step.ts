// The largest so far while it plays: what one more CONUS frame costs the analysis worker, from asking for the longer
// list until its picture and its numbers are made. It runs the worker's own parts in this process, with frames over
// HTTP. `SWATH_FRAMES` shortens it.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { FrameRef } from "../../renderer/frames/frame-ref.ts";
import { SourceFrames } from "../../renderer/frames/source-frames.ts";
import { SwathMaker } from "../../renderer/frames/swath-maker.ts";
import { analysisSourceBytes } from "../../renderer/platform/viewer-limits.ts";
import type { BenchRow } from "./bench-row.ts";
import { conusFrameBounds, createConusFrame } from "./conus-frame.ts";
import { median } from "./timed-process.ts";

const looks = ["hail", "echo"] as const;
const targetMs = 40;
const warmUpFrames = 3;

export async function run(): Promise<BenchRow[]> {
  const { SWATH_FRAMES: frames = "24" } = process.env;
  const count = Number(frames);
  const rows: BenchRow[] = [];
  for (const look of looks) {
    const server = await serveFrames(
      Array.from({ length: count }, (_, index) => createConusFrame(100 + index, look)),
    );
    try {
      rows.push(toRow(look, await grow(server.refs)));
    } finally {
      server.close();
    }
  }
  return rows;
}

/** Returns the time of each step after the first few. */
async function grow(refs: readonly FrameRef[]): Promise<number[]> {
  const maker = new SwathMaker(new SourceFrames(analysisSourceBytes));
  const times: number[] = [];
  const signal = new AbortController().signal;
  for (let length = 1; length <= refs.length; length++) {
    const startedMs = performance.now();
    const classes = await maker.make(
      refs.slice(0, length),
      ({ swath }) => {
        swath!.toPicture();
        return swath!.toClasses();
      },
      { signal },
    );
    if (length > warmUpFrames) times.push(performance.now() - startedMs);
    if (classes.length === 0) throw new Error("The swath has no classes.");
  }
  return times;
}

function toRow(look: string, times: readonly number[]): BenchRow {
  const ours = median(times);
  return {
    row: 0,
    name: `swath step, ${look}`,
    metric: "ms for a further frame (median)",
    ...{ ours, peer: null, peerName: "-", ratio: null },
    ...{ target: `below ${targetMs} ms`, met: ours < targetMs },
    note: `7000 × 3500 cells, ${times.length} steps, ${Math.min(...times).toFixed(1)}–${Math.max(...times).toFixed(1)} ms; fetch, decode, highest classes, picture and areas, off the page's thread`,
  };
}

interface FrameServer {
  readonly refs: readonly FrameRef[];
  readonly close: () => void;
}

async function serveFrames(frames: readonly Uint8Array[]): Promise<FrameServer> {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "image/png");
    response.end(frames[Number((request.url ?? "/0").slice(1))]);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    refs: frames.map((_, index) => ({
      imageUrl: `http://127.0.0.1:${port}/${index}`,
      bounds: [...conusFrameBounds],
    })),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
