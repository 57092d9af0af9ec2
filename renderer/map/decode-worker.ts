// The worker that fetches frames and decodes them, away from the thread that draws. Answers decode-protocol.ts.
import "../platform/schema-settings.ts";
import { AppError, messageOf } from "../../shared/app-error.ts";
import { isPngError } from "../../shared/png/png-error.ts";
import { decodeFrame } from "./decode-frame.ts";
import type { DecodeReply, DecodeRequest } from "./decode-protocol.ts";
import { fetchFrame } from "./fetch-frame.ts";
import { frameTransferables } from "./decoded-frame.ts";

/** The part of a worker's global scope that is used here; the page's types do not have it. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<DecodeRequest>) => void) | null;
  postMessage(message: DecodeReply, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const running = new Map<number, AbortController>();

scope.onmessage = ({ data: request }) => {
  if (request.type === "abort") {
    running.get(request.id)?.abort();
    running.delete(request.id);
  } else {
    void load(request);
  }
};

/** Answers every request that is not aborted; never rejects. */
async function load({ id, url, maxTilePx }: Extract<DecodeRequest, { type: "load" }>): Promise<void> {
  const abort = new AbortController();
  const { signal } = abort;
  running.set(id, abort);
  try {
    const frame = await decodeFrame(await fetchFrame(url, signal), { maxTilePx, signal });
    if (!signal.aborted) scope.postMessage({ id, frame }, frameTransferables(frame));
  } catch (error) {
    if (!signal.aborted) scope.postMessage({ id, problem: toProblem(error) }, []);
  } finally {
    running.delete(id);
  }
}

function toProblem(error: unknown): { code: AppError["code"]; detail: string } {
  if (error instanceof AppError) return { code: error.code, detail: error.detail };
  if (isPngError(error))
    return { code: "stored-data-invalid", detail: `The frame is damaged: ${error.message}.` };
  return { code: "stored-data-invalid", detail: `The frame could not be decoded: ${messageOf(error)}` };
}
