// The worker that fetches and decodes frames, off the thread that draws. Both ends are built together, so messages
// are not parsed.
import "../platform/schema-settings.ts";
import { AppError, messageOf, type ErrorCode } from "../../shared/app-error.ts";
import { isPngError } from "../../shared/png/png-error.ts";
import { decodeFrame } from "./decode-frame.ts";
import { frameTransferables, type DecodedFrame, type FrameDepth } from "./decoded-frame.ts";
import { fetchFrame } from "./fetch-frame.ts";
import type { ScreenView } from "./screen/screen-frame.ts";

export type DecodeRequest =
  | {
      readonly type: "load";
      readonly id: number;
      readonly url: string;
      readonly maxTilePx: number;
      readonly depth: FrameDepth;
      readonly view: ScreenView | undefined;
    }
  | { readonly type: "abort"; readonly id: number };

/** One reply for each "load" that was not aborted. */
export type DecodeReply =
  | { readonly id: number; readonly frame: DecodedFrame }
  | { readonly id: number; readonly problem: { readonly code: ErrorCode; readonly detail: string } };

/** The part of a worker's global scope that is used here; the page's types lack it. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<DecodeRequest>) => void) | null;
  postMessage(message: DecodeReply, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const running = new Map<number, AbortController>();

scope.onmessage = ({ data: request }) => {
  if (request.type === "load") {
    void load(request);
    return;
  }
  running.get(request.id)?.abort();
  running.delete(request.id);
};

/** Answers the request unless it is aborted; never rejects. */
async function load({ id, url, ...options }: Extract<DecodeRequest, { type: "load" }>): Promise<void> {
  const abort = new AbortController();
  const { signal } = abort;
  running.set(id, abort);
  try {
    const frame = await decodeFrame(await fetchFrame(url, signal), { ...options, signal });
    if (!signal.aborted) scope.postMessage({ id, frame }, frameTransferables(frame));
  } catch (error) {
    if (!signal.aborted) scope.postMessage({ id, problem: toProblem(error) }, []);
  } finally {
    running.delete(id);
  }
}

function toProblem(error: unknown): { code: ErrorCode; detail: string } {
  if (error instanceof AppError) return { code: error.code, detail: error.detail };
  if (isPngError(error))
    return { code: "stored-data-invalid", detail: `The frame is damaged: ${error.message}.` };
  return { code: "stored-data-invalid", detail: `The frame could not be decoded: ${messageOf(error)}` };
}
