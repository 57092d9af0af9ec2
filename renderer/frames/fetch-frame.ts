// Fetches the bytes of one frame; retries once if the network fails. Every failure is an AppError with a sentence.
import { AppError } from "../../shared/app-error.ts";
import { frameFetchAttempts, maxFrameFileBytes } from "../platform/viewer-limits.ts";

/** @throws AppError `not-found`, `upstream-unavailable` or `stored-data-invalid`; passes an abort through */
export async function fetchFrame(
  url: string,
  signal: AbortSignal,
  request: typeof fetch = fetch,
): Promise<Uint8Array<ArrayBuffer>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchOnce(url, signal, request);
    } catch (cause) {
      if (signal.aborted || cause instanceof AppError) throw cause;
      if (attempt < frameFetchAttempts) continue;
      const sentence = "The frame could not be fetched: the connection failed.";
      throw new AppError("upstream-unavailable", sentence, { cause });
    }
  }
}

async function fetchOnce(
  url: string,
  signal: AbortSignal,
  request: typeof fetch,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await request(url, { signal, credentials: "same-origin" });
  if (response.status === 404) {
    throw new AppError("not-found", "The frame no longer exists (404).", { context: { url } });
  }
  if (!response.ok) {
    throw new AppError("upstream-unavailable", `The frame could not be fetched (${response.status}).`, {
      context: { url },
    });
  }
  if (Number(response.headers.get("content-length") ?? 0) > maxFrameFileBytes) {
    throw new AppError("stored-data-invalid", "The frame's file is too large to be a frame.", {
      context: { url },
    });
  }
  return new Uint8Array(await response.arrayBuffer());
}
