// How many object reads run at once, and how much of what they gave may wait for slow clients: each is a process of Git, and a
// blob is in memory until its last byte is handed over.
import { Readable } from "node:stream";
import type { ApiReply } from "../../api/api-part.ts";
import { ArtifactsError } from "../artifacts-error.ts";
import { busyMessage } from "../git/git-refusal.ts";
import { createSlots, type SlotLimits } from "../../../platform/locks/slots.ts";

/** At most 8 of the largest blobs are in memory; one repository's readers leave half of them to the others. */
const usualLimits: SlotLimits = { total: 8, perKey: 4, waiting: 512 };

/** What is shorter than this is not worth a slot once it was read. */
const heldBytes = 1024 * 1024;

export interface ReadingSlots {
  /**
   * Runs `read` once there is room; room that a long reply takes is given back when it has been sent.
   * @throws ArtifactsError `UPSTREAM_UNAVAILABLE` when too many wait; the signal's reason
   */
  run(repositoryId: string, signal: AbortSignal, read: () => Promise<ApiReply>): Promise<ApiReply>;
}

export function createReadingSlots(limits: SlotLimits = usualLimits): ReadingSlots {
  const slots = createSlots(limits, () => new ArtifactsError("UPSTREAM_UNAVAILABLE", busyMessage));
  return {
    async run(repositoryId, signal, read) {
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
