// Checks that a frame is there and that its bytes have the hash that names it.
import { isAppError } from "../../shared/app-error.ts";
import { fetchFrame } from "./fetch-frame.ts";

/** `unread` if the connection failed or nothing can be hashed, as on a page without a secure context. */
export type FrameCheck = "same" | "missing" | "damaged" | "unread";

const hashShape = /^[0-9a-f]{64}$/;

/** Passes an abort through. */
export async function checkFrame(imageUrl: string, frame: string, signal: AbortSignal): Promise<FrameCheck> {
  try {
    const bytes = await fetchFrame(imageUrl, signal);
    if (!hashShape.test(frame) || !isSecureContext) return "unread";
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return toHex(hash) === frame ? "same" : "damaged";
  } catch (error) {
    if (!isAppError(error)) throw error;
    return error.code === "not-found" ? "missing" : "unread";
  }
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
