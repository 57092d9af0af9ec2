// Frames: immutable PNG bytes by content. Checked bytes are kept in memory up to a bound, because a loop asks for the
// same frames again and again.
import { AppError, isAppError } from "../../../shared/app-error.ts";
import type { CatalogReader } from "../../catalog/catalog.ts";
import type { FrameStore } from "../../catalog/frame-store.ts";
import type { Log } from "../../effects.ts";
import { cacheRules, createAnswer, strongEtag, type Answer } from "../answer.ts";
import type { Handler } from "../handlers.ts";

/** A CONUS frame is some 300 kB to 1 MB: room for an hour of both products. */
const keptBytes = 48 * 1024 * 1024;

export function createFrames(catalog: CatalogReader, frames: FrameStore, log: Log): Handler<"getFrame"> {
  const kept = createAnswerCache(keptBytes);
  return async ({ eventId, productId, frameId }) => {
    if (!(await catalog.hasFrame(eventId, productId, frameId))) throw notAvailable();
    const known = kept.find(frameId);
    if (known) return known;
    const png = await readSound(frames, { eventId, productId, frameId }, log);
    const answer = createAnswer({
      body: png,
      type: "image/png",
      etag: strongEtag(frameId),
      cache: cacheRules.immutable,
    });
    kept.add(frameId, answer);
    return answer;
  };
}

function notAvailable(cause?: unknown): AppError {
  return new AppError("not-found", "This frame is not available.", { cause });
}

async function readSound(
  frames: FrameStore,
  frame: { eventId: string; productId: string; frameId: string },
  log: Log,
): Promise<Uint8Array> {
  let png: Uint8Array | undefined;
  try {
    png = await frames.read(frame.frameId);
  } catch (error) {
    if (!isAppError(error)) throw error;
    log("error", "A stored frame is damaged and is not served.", { ...frame, problem: error.detail });
    throw notAvailable(error);
  }
  if (!png) {
    log("error", "A published frame is missing.", frame);
    throw notAvailable();
  }
  return png;
}

interface AnswerCache {
  find(key: string): Answer | undefined;
  add(key: string, answer: Answer): void;
}

/** Drops the answers that were not asked for longest once the kept bodies exceed `limitBytes`. */
function createAnswerCache(limitBytes: number): AnswerCache {
  const answers = new Map<string, Answer>();
  let bytes = 0;
  return {
    find(key) {
      const answer = answers.get(key);
      if (answer) {
        answers.delete(key);
        answers.set(key, answer);
      }
      return answer;
    },
    add(key, answer) {
      if (answers.has(key)) return;
      answers.set(key, answer);
      bytes += answer.body.byteLength;
      for (const [oldest, { body }] of answers) {
        if (bytes <= limitBytes) break;
        answers.delete(oldest);
        bytes -= body.byteLength;
      }
    },
  };
}
