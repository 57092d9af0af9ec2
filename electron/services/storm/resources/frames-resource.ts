// Frames: immutable PNG bytes, for the events and products of published revisions. The frame store checks the bytes.
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import type { OperationInput } from "../../../../shared/contract/operations.ts";
import type { FrameStore } from "../../../catalog/files/frame-store.ts";
import type { Log } from "../../../platform/effects.ts";
import { cacheRules, createAnswer, strongEtag, type Answer } from "../../http/answer.ts";
import type { Handler } from "../request-input.ts";
import type { RequestCatalog } from "../turn-catalog.ts";

export function createFrames(catalog: RequestCatalog, frames: FrameStore, log: Log): Handler<"getFrame"> {
  // Keyed by the store's own array: while the store caches it, the answer is made once.
  const answers = new WeakMap<Uint8Array, Answer>();
  return async (frame) => {
    const { eventId, productId, frameId } = frame;
    if (!(await catalog.hasFrame(eventId, productId, frameId))) throw notAvailable();
    const png = await readSound(frames, frame, log);
    let answer = answers.get(png);
    if (!answer) {
      const etag = strongEtag(frameId);
      answer = createAnswer({ body: png, type: "image/png", etag, cache: cacheRules.immutable });
      answers.set(png, answer);
    }
    return answer;
  };
}

function notAvailable(cause?: unknown): AppError {
  return new AppError("not-found", "This frame is not available.", { cause });
}

async function readSound(
  frames: FrameStore,
  frame: OperationInput<"getFrame">,
  log: Log,
): Promise<Uint8Array> {
  let png: Uint8Array | undefined;
  try {
    png = await frames.read(frame.frameId);
  } catch (error) {
    // A store that refuses or is away must not be answered as a missing frame.
    if (!isAppError(error, "stored-data-invalid")) throw error;
    log("error", "A stored frame is damaged and is not served.", { ...frame, problem: error.detail });
    throw notAvailable(error);
  }
  if (!png) {
    log("error", "A published frame is missing.", frame);
    throw notAvailable();
  }
  return png;
}
