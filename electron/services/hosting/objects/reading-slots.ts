// Limits how many object reads run at once and how many replies wait for slow clients: each read is a Git process, and
// a blob stays in memory until its last byte is sent.
import { PassThrough, type Readable } from "node:stream";
import { createSlots, type SlotLimits } from "../../../platform/locks/slots.ts";
import type { ApiReply } from "../../api/api-part.ts";
import { ArtifactsError } from "../artifacts-error.ts";
import { busyMessage } from "../git/git-refusal.ts";
import { createPace, type Pace } from "../git/client-pace.ts";
import { write } from "../git/exchange.ts";
import { clientPatienceMs, readingLimits } from "../hosting-limits.ts";

/** Shorter replies release their slot before they are sent. */
const heldBytes = 1024 * 1024;
const pieceBytes = 128 * 1024;

export function createReadingSlots(limits: SlotLimits = readingLimits, patienceMs = clientPatienceMs) {
  const slots = createSlots(limits, () => new ArtifactsError("UPSTREAM_UNAVAILABLE", busyMessage));
  return {
    /**
     * Runs `read` in a slot. The slot of a long reply is released when the reply has been sent; a client that reads it
     * too slowly is given up once others wait.
     * @throws ArtifactsError `UPSTREAM_UNAVAILABLE` if the queue is full; the signal's reason
     */
    async run(repositoryId: string, signal: AbortSignal, read: () => Promise<ApiReply>): Promise<ApiReply> {
      const release = await slots.take(repositoryId, signal);
      let isHeld = false;
      try {
        const reply = await read();
        if (!("raw" in reply) || !(reply.raw instanceof Uint8Array)) return reply;
        if (reply.raw.byteLength < heldBytes) return reply;
        isHeld = true;
        const pace = { isWanted: () => slots.isWanted(repositoryId), patienceMs };
        return { ...reply, raw: streamAtPace(reply.raw, pace).once("close", release) };
      } finally {
        if (!isHeld) release();
      }
    },
  };
}

/** The stream fails for a reader that is too slow. */
function streamAtPace(bytes: Uint8Array, pace: Pace): Readable {
  const stream = new PassThrough({ highWaterMark: pieceBytes });
  const { wait } = createPace(pace);
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const send = async (): Promise<void> => {
    for (let from = 0; from < whole.length; from += pieceBytes) {
      const piece = whole.subarray(from, from + pieceBytes);
      if (!(await wait(write(stream, piece), () => piece.length))) return;
    }
    stream.end();
  };
  send().catch((error: unknown) => stream.destroy(error as Error));
  return stream;
}
