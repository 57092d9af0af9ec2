// The worker that reads places: frame after frame in the order asked for, fetching one while it inflates another.
import "../../platform/schema-settings.ts";
import { AppError, messageOf } from "../../../shared/app-error.ts";
import { isPngError } from "../../../shared/png/png-error.ts";
import { fetchFrame } from "../fetch-frame.ts";
import type { FrameAnswer, PlacePost, PlaceReply, PlacesOfFrame } from "./place-messages.ts";
import { readPlaces } from "./read-places.ts";

/** The part of a worker's global scope that is used here; the page's types lack it. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<PlacePost>) => void) | null;
  postMessage(message: PlaceReply): void;
}

const scope = globalThis as unknown as WorkerScope;
let running = new AbortController();

scope.onmessage = ({ data: { list, frames } }) => {
  running.abort();
  running = new AbortController();
  void readAll(frames, running.signal, (index, answer) => {
    scope.postMessage({ list, index, answer });
  });
};

/** Ends without an error when it is aborted; never rejects. */
async function readAll(
  frames: readonly PlacesOfFrame[],
  signal: AbortSignal,
  onAnswer: (index: number, answer: FrameAnswer) => void,
): Promise<void> {
  const start = (index: number): Promise<Uint8Array | undefined> | undefined => {
    const frame = frames[index];
    // A failure is told when the frame's turn comes.
    return frame && settle(fetchFrame(frame.imageUrl, signal), index);
  };
  const failures = new Map<number, unknown>();
  const settle = (fetched: Promise<Uint8Array>, index: number): Promise<Uint8Array | undefined> =>
    fetched.catch((error: unknown) => {
      failures.set(index, error);
      return undefined;
    });
  let next = start(0);
  for (const [index, frame] of frames.entries()) {
    const png = await next;
    next = start(index + 1);
    const answer = png ? await toAnswer(png, frame, signal) : { problem: toSentence(failures.get(index)) };
    if (signal.aborted) return;
    onAnswer(index, answer);
  }
}

async function toAnswer(
  png: Uint8Array,
  { bounds, places }: PlacesOfFrame,
  signal: AbortSignal,
): Promise<FrameAnswer> {
  try {
    return { readings: await readPlaces(png, { bounds, places, signal }) };
  } catch (error) {
    return { problem: toSentence(error) };
  }
}

function toSentence(error: unknown): string {
  if (error instanceof AppError) return error.detail;
  return isPngError(error)
    ? `The frame cannot be read: ${error.message}.`
    : `The frame could not be decoded: ${messageOf(error)}`;
}
