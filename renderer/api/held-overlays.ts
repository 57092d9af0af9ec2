// Reads the overlays that the host has: files kept with an event, and those of a person's addresses and folders.
import type * as z from "zod";
import { KeptOverlayList, OverlayList } from "../../shared/contract/overlays.ts";
import { overlayLimits } from "../../shared/overlays/overlay.ts";
import { requestTimeoutMs } from "../platform/viewer-limits.ts";

/** Each returns undefined if the host does not answer, or another service has no such list. */
export interface HeldOverlayClient {
  readonly listKept: (eventId: string) => Promise<KeptOverlayList | undefined>;
  readonly listHeld: () => Promise<OverlayList | undefined>;
  readonly readKept: (eventId: string, sha256: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;
  readonly readHeld: (sha256: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;
}

export function createHeldOverlayClient({
  fetch,
}: {
  readonly fetch: typeof globalThis.fetch;
}): HeldOverlayClient {
  async function get(path: string, cache: RequestCache): Promise<Response | undefined> {
    try {
      const response = await fetch(path, { cache, signal: AbortSignal.timeout(requestTimeoutMs) });
      return response.ok ? response : undefined;
    } catch {
      return undefined;
    }
  }

  async function list<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
    const response = await get(path, "no-cache");
    const parsed = schema.safeParse(await response?.json().catch(() => undefined));
    return parsed.success ? parsed.data : undefined;
  }

  /** Bytes never change at their address. */
  async function read(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const response = await get(path, "default");
    const bytes = await response?.arrayBuffer().catch(() => undefined);
    return bytes && bytes.byteLength <= overlayLimits.bytes ? new Uint8Array(bytes) : undefined;
  }

  const eventPath = (eventId: string): string => `/app/events/${encodeURIComponent(eventId)}/overlays`;
  return {
    listKept: (eventId) => list(eventPath(eventId), KeptOverlayList),
    listHeld: () => list("/app/overlays", OverlayList),
    readKept: (eventId, sha256) => read(`${eventPath(eventId)}/${sha256}`),
    readHeld: (sha256) => read(`/app/overlays/${sha256}`),
  };
}
