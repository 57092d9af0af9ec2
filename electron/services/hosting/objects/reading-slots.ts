// Limits how many object reads run at once and how many replies wait for slow clients: each read is a Git process, and
// a blob stays in memory until its last byte is sent.
import { Readable } from "node:stream";
import { createSlots, type SlotLimits } from "../../../platform/locks/slots.ts";
import type { ApiReply } from "../../api/api-part.ts";
import { ArtifactsError } from "../artifacts-error.ts";
import { busyMessage } from "../git/git-refusal.ts";
import { readingLimits } from "../hosting-limits.ts";

/** Shorter replies release their slot before they are sent. */
const heldBytes = 1024 * 1024;

export function createReadingSlots(limits: SlotLimits = readingLimits) {
  const slots = createSlots(limits, () => new ArtifactsError("UPSTREAM_UNAVAILABLE", busyMessage));
  return {
    /**
     * Runs `read` in a slot. The slot of a long reply is released when the reply has been sent.
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
        return { ...reply, raw: Readable.from([reply.raw]).once("close", release) };
      } finally {
        if (!isHeld) release();
      }
    },
  };
}
