// The decode workers as seen from the map: one function that loads a frame, and an end. Loads go to the worker with the least to do.
import { AppError } from "../../shared/app-error.ts";
import type { DecodeReply, DecodeRequest } from "./decode-protocol.ts";
import { releaseFrame } from "./decoded-frame.ts";
import type { DecodedFrame } from "./decoded-frame.ts";

interface Job {
  readonly resolve: (frame: DecodedFrame) => void;
  readonly reject: (error: unknown) => void;
}

interface Hand {
  readonly worker: Worker;
  readonly jobs: Map<number, Job>;
}

export interface FrameLoaderOptions {
  readonly workers: number;
  /** The widest and highest texture that the GPU takes. */
  readonly maxTilePx: number;
}

export class FrameLoader {
  readonly #hands: Hand[];
  readonly #maxTilePx: number;
  #ids = 0;

  constructor({ workers, maxTilePx }: FrameLoaderOptions) {
    this.#maxTilePx = maxTilePx;
    this.#hands = Array.from({ length: workers }, () => createHand());
  }

  /** @throws AppError with a sentence for a person, or the signal's reason */
  async load(imageUrl: string, signal: AbortSignal): Promise<DecodedFrame> {
    signal.throwIfAborted();
    const hand = this.#hands.reduce((least, other) => (other.jobs.size < least.jobs.size ? other : least));
    const id = ++this.#ids;
    // A worker resolves paths against its own script; the page's address is what they are meant against.
    const url = new URL(imageUrl, document.baseURI).href;
    const abort = (): void => {
      const job = hand.jobs.get(id);
      hand.jobs.delete(id);
      post(hand, { type: "abort", id });
      job?.reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await new Promise<DecodedFrame>((resolve, reject) => {
        hand.jobs.set(id, { resolve, reject });
        post(hand, { type: "load", id, url, maxTilePx: this.#maxTilePx });
      });
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  close(): void {
    for (const { worker, jobs } of this.#hands) {
      worker.terminate();
      for (const { reject } of jobs.values()) reject(new AppError("conflict", "The map is closed."));
      jobs.clear();
    }
  }
}

function post({ worker }: Hand, request: DecodeRequest): void {
  worker.postMessage(request);
}

function createHand(): Hand {
  const worker = new Worker(new URL("./decode-worker.ts", import.meta.url), {
    type: "module",
    name: "frame decoder",
  });
  const jobs = new Map<number, Job>();
  worker.onmessage = ({ data: reply }: MessageEvent<DecodeReply>) => {
    const job = jobs.get(reply.id);
    jobs.delete(reply.id);
    if ("frame" in reply) {
      if (job) job.resolve(reply.frame);
      else releaseFrame(reply.frame);
    } else job?.reject(new AppError(reply.problem.code, reply.problem.detail));
  };
  worker.onerror = () => {
    for (const { reject } of jobs.values()) {
      reject(new AppError("upstream-unavailable", "The frame decoder could not be started."));
    }
    jobs.clear();
  };
  return { worker, jobs };
}
