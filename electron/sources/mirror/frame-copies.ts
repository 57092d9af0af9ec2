// Copies frames of the remote service into the frame store. Stored frames are not requested, and revisions that show
// the same frame share one request. A frame that is not a valid PNG, or does not match its hash, is refused.
import { isAppError } from "../../../shared/app-error.ts";
import { maxFramePixels } from "../../../shared/contract/frame-format.ts";
import { isPngError } from "../../../shared/png/png-error.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import type { Limit } from "../../platform/locks/limit.ts";
import { checkPng } from "../../platform/png/check.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { HttpFailure } from "../fetching/http-failure.ts";
import { maxKnownFrames } from "./mirror-limits.ts";
import type { RemoteService } from "./remote-service.ts";

export type FrameCopies = ReturnType<typeof createFrameCopies>;

interface CopiedFrame {
  readonly frameId: string;
  /** Undefined if the frame was already stored. */
  readonly byteLength: number | undefined;
}

export function createFrameCopies(remote: RemoteService, store: FrameStore, limit: Limit) {
  const copies = new Map<string, Promise<CopiedFrame>>();
  const load = async (imageUrl: string): Promise<CopiedFrame> => {
    const named = namedHash(imageUrl);
    if (named !== undefined && (await isStored(store, named))) {
      return { frameId: named, byteLength: undefined };
    }
    return limit(async () => {
      const body = await remote.readFrame(imageUrl);
      if (named !== undefined && sha256Of(body) !== named) {
        throw new HttpFailure("invalid", "A frame does not match its hash.");
      }
      await requirePng(body);
      return { frameId: await store.put(body), byteLength: body.byteLength };
    });
  };
  return {
    /** Stores the frame at an image URL of the remote service. @throws HttpFailure; AppError `storage-failed` */
    async copy(imageUrl: string): Promise<CopiedFrame> {
      const known = copies.get(imageUrl);
      if (known) return { ...(await known), byteLength: undefined };
      const started = load(imageUrl);
      copies.set(imageUrl, started);
      if (copies.size > maxKnownFrames) copies.delete(copies.keys().next().value!);
      try {
        return await started;
      } catch (error) {
        copies.delete(imageUrl);
        throw error;
      }
    },
    /** Forgets which frames are stored: some were removed. */
    forget(): void {
      copies.clear();
    },
  };
}

/** Returns the hash in a frame's URL if the service names frames as Echotop does. */
export function namedHash(imageUrl: string): string | undefined {
  return /\/([0-9a-f]{64})\.png$/.exec(imageUrl)?.[1];
}

async function isStored(store: FrameStore, frameId: string): Promise<boolean> {
  try {
    return (await store.read(frameId)) !== undefined;
  } catch (error) {
    // Storing a damaged frame again repairs it.
    if (isAppError(error, "stored-data-invalid")) return false;
    throw error;
  }
}

async function requirePng(bytes: Uint8Array): Promise<void> {
  try {
    await checkPng(bytes, maxFramePixels);
  } catch (error) {
    if (!isPngError(error)) throw error;
    throw new HttpFailure("invalid", `A frame is not a valid PNG: ${error.message}.`, error);
  }
}
