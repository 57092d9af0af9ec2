// Loads frames in decode workers. Each load goes to the worker with the fewest loads.
import { AppError } from "../../shared/app-error.ts";
import { colorTilePx, decodeWorkers } from "../platform/viewer-limits.ts";
import type { DecodeReply, DecodeRequest } from "./decode-worker.ts";
import { releaseFrame } from "./decoded-frame.ts";
import type { DecodedFrame, FrameDepth } from "./decoded-frame.ts";
import type { ScreenView } from "./screen/screen-frame.ts";

interface Job {
  readonly resolve: (frame: DecodedFrame) => void;
  readonly reject: (error: unknown) => void;
}

interface Hand {
  readonly worker: Worker;
  readonly jobs: Map<number, Job>;
}

export class FrameLoader {
  readonly #hands: readonly Hand[] = Array.from({ length: decodeWorkers }, createHand);
  #ids = 0;

  /**
   * With a `view`, the frame may come as that screen shows it.
   * @throws AppError with a sentence for a person, or the signal's reason
   */
  async load(
    imageUrl: string,
    signal: AbortSignal,
    depth: FrameDepth,
    view?: ScreenView,
  ): Promise<DecodedFrame> {
    signal.throwIfAborted();
    const { worker, jobs } = this.#hands.reduce((least, hand) =>
      hand.jobs.size < least.jobs.size ? hand : least,
    );
    const post = (request: DecodeRequest): void => {
      worker.postMessage(request);
    };
    const id = ++this.#ids;
    // A worker would resolve paths against its own script, not against the page.
    const url = new URL(imageUrl, document.baseURI).href;
    const abort = (): void => {
      const job = jobs.get(id);
      jobs.delete(id);
      post({ type: "abort", id });
      job?.reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await new Promise<DecodedFrame>((resolve, reject) => {
        jobs.set(id, { resolve, reject });
        post({ type: "load", id, url, maxTilePx: colorTilePx, depth, view });
      });
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  close(): void {
    for (const { worker, jobs } of this.#hands) {
      worker.terminate();
      rejectAll(jobs, new AppError("conflict", "The map is closed."));
    }
  }
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
    if ("problem" in reply) job?.reject(new AppError(reply.problem.code, reply.problem.detail));
    else if (job) job.resolve(reply.frame);
    else releaseFrame(reply.frame);
  };
  worker.onerror = () => {
    rejectAll(jobs, new AppError("upstream-unavailable", "The frame decoder could not be started."));
  };
  return { worker, jobs };
}

function rejectAll(jobs: Map<number, Job>, error: AppError): void {
  for (const { reject } of jobs.values()) reject(error);
  jobs.clear();
}
