// Asks the analysis worker, which starts with the first request: for pictures of differences and swaths, and their
// numbers.
import type { Coordinate } from "../../shared/contract/index.ts";
import { AppError } from "../../shared/app-error.ts";
import type {
  AnalysisAnswers,
  AnalysisPost,
  AnalysisReply,
  AnalysisRequest,
  AreasAnswer,
  AreasRequest,
  DifferenceAnswer,
  DifferenceRequest,
  HighestAnswer,
  OutlinesAnswer,
  OutlinesRequest,
  ReportsAnswer,
  ReportsRequest,
  SwathFacts,
} from "./analysis-messages.ts";
import { releaseFrame, type DecodedFrame } from "./decoded-frame.ts";
import type { DerivedFrame, FrameRef } from "./frame-ref.ts";

interface Job {
  readonly resolve: (answer: AnalysisAnswers[AnalysisRequest["type"]]) => void;
  readonly reject: (error: unknown) => void;
  readonly onRead: ((count: number) => void) | undefined;
}

/** Every method throws AppError with a sentence for a person, or the signal's reason. */
export class AnalysisClient {
  readonly #jobs = new Map<number, Job>();
  #worker: Worker | undefined;
  #ids = 0;

  draw(derived: DerivedFrame, signal: AbortSignal): Promise<DecodedFrame> {
    return this.#ask({ type: "draw", derived: withAddresses(derived) }, signal);
  }

  measureDifference(request: DifferenceRequest, signal: AbortSignal): Promise<DifferenceAnswer> {
    const { before, after } = request;
    const pair = { before: withAddress(before), after: withAddress(after) };
    return this.#ask({ ...request, ...pair, type: "difference" }, signal);
  }

  /** `onRead` gets the number of frames read so far. */
  measureSwath(
    frames: readonly FrameRef[],
    signal: AbortSignal,
    onRead?: (count: number) => void,
  ): Promise<SwathFacts> {
    return this.#ask({ type: "swath", frames: frames.map(withAddress) }, signal, onRead);
  }

  /** Writes the outlines of a swath. `onRead` gets the number of frames read so far. */
  writeOutlines(
    request: OutlinesRequest,
    signal: AbortSignal,
    onRead: (count: number) => void,
  ): Promise<OutlinesAnswer> {
    const frames = request.frames.map(withAddress);
    return this.#ask({ ...request, frames, type: "outlines" }, signal, onRead);
  }

  /** Compares reports with frames. `onRead` gets the number of frames read so far. */
  verifyReports(
    { reports, tasks }: ReportsRequest,
    signal: AbortSignal,
    onRead: (count: number) => void,
  ): Promise<ReportsAnswer> {
    const addressed = tasks.map((task) => ({
      ...task,
      frame: { ...task.frame, ...withAddress(task.frame) },
    }));
    return this.#ask({ type: "reports", reports, tasks: addressed }, signal, onRead);
  }

  /** Finds the frame in which the cell at a place first had its highest class. */
  findHighest(frames: readonly FrameRef[], place: Coordinate, signal: AbortSignal): Promise<HighestAnswer> {
    return this.#ask({ type: "highest", frames: frames.map(withAddress), place }, signal);
  }

  findAreas(request: AreasRequest, signal: AbortSignal): Promise<AreasAnswer> {
    return this.#ask({ ...request, frame: withAddress(request.frame), type: "areas" }, signal);
  }

  close(): void {
    this.#worker?.terminate();
    this.#rejectAll(new AppError("conflict", "The viewer is closed."));
  }

  async #ask<Type extends AnalysisRequest["type"]>(
    request: Extract<AnalysisRequest, { type: Type }>,
    signal: AbortSignal,
    onRead?: (count: number) => void,
  ): Promise<AnalysisAnswers[Type]> {
    signal.throwIfAborted();
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#ids;
    const abort = (): void => {
      const job = this.#jobs.get(id);
      this.#jobs.delete(id);
      worker.postMessage({ id, abort: true } satisfies AnalysisPost);
      job?.reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    try {
      const answer = await new Promise<AnalysisAnswers[AnalysisRequest["type"]]>((resolve, reject) => {
        this.#jobs.set(id, { resolve, reject, onRead });
        worker.postMessage({ id, request } satisfies AnalysisPost);
      });
      // The worker answers a request with its own type.
      return answer as AnalysisAnswers[Type];
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL("./analysis-worker.ts", import.meta.url), {
      type: "module",
      name: "frame analysis",
    });
    worker.onmessage = ({ data: reply }: MessageEvent<AnalysisReply>) => {
      this.#receive(reply);
    };
    worker.onerror = () => {
      this.#rejectAll(new AppError("upstream-unavailable", "The analysis of frames could not be started."));
    };
    return worker;
  }

  #receive(reply: AnalysisReply): void {
    const job = this.#jobs.get(reply.id);
    if ("read" in reply) {
      job?.onRead?.(reply.read);
      return;
    }
    this.#jobs.delete(reply.id);
    if ("problem" in reply) job?.reject(new AppError(reply.problem.code, reply.problem.detail));
    else if (job) job.resolve(reply.answer);
    else if ("kind" in reply.answer) releaseFrame(reply.answer);
  }

  #rejectAll(error: AppError): void {
    for (const { reject } of this.#jobs.values()) reject(error);
    this.#jobs.clear();
  }
}

/** A worker would resolve paths against its own script, not against the page. */
function withAddress(ref: FrameRef): FrameRef {
  return { ...ref, imageUrl: new URL(ref.imageUrl, document.baseURI).href };
}

function withAddresses(derived: DerivedFrame): DerivedFrame {
  if (derived.kind === "swath") return { kind: "swath", frames: derived.frames.map(withAddress) };
  return { kind: "difference", before: withAddress(derived.before), after: withAddress(derived.after) };
}
