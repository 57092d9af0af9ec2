// Copies frames of the followed service into our frame store, each once: what is here already is not asked for, and several
// revisions that show one frame share one request. Whatever is not a sound PNG of its hash is refused.
import { maxFramePixels } from "../../../shared/contract/frame-limits.ts";
import { isAppError } from "../../../shared/app-error.ts";
import { isPngError } from "../../../shared/png/png-error.ts";
import type { FrameStore } from "../../catalog/files/frame-store.ts";
import { sha256Of } from "../../platform/sha256.ts";
import { checkPng } from "../../platform/png/check.ts";
import { MirrorFault } from "./mirror-fault.ts";
import type { RemoteService } from "./remote-service.ts";
import type { Limit } from "../../platform/locks/limit.ts";

/** How many addresses are remembered with the frame that they gave: some windows of every event. */
const remembered = 500;

export interface FrameCopies {
  /**
   * Our id of the frame at an image URL of the other service; its bytes are in the store.
   * @throws MirrorFault; AppError `storage-failed`
   */
  copy(imageUrl: string): Promise<CopiedFrame>;
  /** Forgets what the addresses gave: the store does not hold every frame any more. */
  forget(): void;
}

export interface CopiedFrame {
  readonly frameId: string;
  /** Undefined when it was here already. */
  readonly byteLength: number | undefined;
}

export function createFrameCopies(remote: RemoteService, store: FrameStore, limit: Limit): FrameCopies {
  const copies = new Map<string, Promise<CopiedFrame>>();
  const load = async (imageUrl: string): Promise<CopiedFrame> => {
    const named = namedHash(imageUrl);
    if (named !== undefined && (await isStored(store, named))) {
      return { frameId: named, byteLength: undefined };
    }
    return limit(async () => {
      const { body } = await remote.readFrame(imageUrl);
      if (named !== undefined && sha256Of(body) !== named) {
        throw new MirrorFault("answer", "A frame does not match its hash.");
      }
      await requirePng(body);
      return { frameId: await store.put(body), byteLength: body.byteLength };
    });
  };
  return {
    async copy(imageUrl) {
      const known = copies.get(imageUrl);
      if (known) return { ...(await known), byteLength: undefined };
      const started = load(imageUrl);
      copies.set(imageUrl, started);
      for (const oldest of copies.keys()) {
        if (copies.size <= remembered) break;
        copies.delete(oldest);
      }
      try {
        return await started;
      } catch (error) {
        copies.delete(imageUrl);
        throw error;
      }
    },
    forget() {
      copies.clear();
    },
  };
}

/** The hash in a frame's address, where the service names frames as we do. */
export function namedHash(imageUrl: string): string | undefined {
  return /\/([0-9a-f]{64})\.png$/.exec(imageUrl)?.[1];
}

async function isStored(store: FrameStore, frameId: string): Promise<boolean> {
  try {
    return (await store.read(frameId)) !== undefined;
  } catch (error) {
    // Putting it again makes a damaged one good.
    if (isAppError(error, "stored-data-invalid")) return false;
    throw error;
  }
}

async function requirePng(bytes: Uint8Array): Promise<void> {
  try {
    await checkPng(bytes, maxFramePixels);
  } catch (error) {
    if (!isPngError(error)) throw error;
    throw new MirrorFault("answer", `A frame is not a sound PNG: ${error.message}.`, error);
  }
}
