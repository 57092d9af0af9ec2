// Reads places in many frames, in two workers that start with the first list: each takes every other frame, so that
// answers come about in the order asked for.
import { placeWorkers } from "../../platform/viewer-limits.ts";
import type { FrameAnswer, PlacePost, PlaceReply, PlacesOfFrame } from "./place-messages.ts";

export type OnFrameRead = (frame: PlacesOfFrame, answer: FrameAnswer) => void;

export interface PlaceReader {
  /** Reads these frames, and nothing more of the list before. `onRead` is called once for each. */
  readonly read: (frames: readonly PlacesOfFrame[], onRead: OnFrameRead) => void;
  readonly close: () => void;
}

export function createPlaceReader(): PlaceReader {
  let workers: readonly Worker[] | undefined;
  let list = 0;

  return {
    read: (frames, onRead) => {
      if (frames.length === 0 && !workers) return;
      workers ??= Array.from({ length: placeWorkers }, createWorker);
      list += 1;
      for (const [turn, worker] of workers.entries()) {
        const share = frames.filter((_, index) => index % placeWorkers === turn);
        const own = list;
        worker.onmessage = ({ data }: MessageEvent<PlaceReply>) => {
          if (data.list === own) onRead(share[data.index]!, data.answer);
        };
        worker.onerror = () => {
          for (const frame of share) onRead(frame, { problem: "The reader of places could not be started." });
        };
        worker.postMessage({ list, frames: share.map(withAddress) } satisfies PlacePost);
      }
    },
    close: () => {
      for (const worker of workers ?? []) worker.terminate();
      workers = undefined;
    },
  };
}

function createWorker(): Worker {
  return new Worker(new URL("./place-worker.ts", import.meta.url), { type: "module", name: "place reader" });
}

/** A worker would resolve paths against its own script, not against the page. */
function withAddress(frame: PlacesOfFrame): PlacesOfFrame {
  return { ...frame, imageUrl: new URL(frame.imageUrl, document.baseURI).href };
}
