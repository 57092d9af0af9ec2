// Fetching the bytes of one frame, with one more try when the network fails. Every failure is an AppError with a sentence.
import { AppError } from "../../shared/app-error.ts";

/** The most bytes that a frame's file may have. The largest of ours, the CONUS full of echo, has a few million. */
const maxFileBytes = 128 * 1024 * 1024;
const attempts = 2;

/**
 * @throws AppError `not-found`, `upstream-unavailable` or `stored-data-invalid`; an abort passes through as it is
 */
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
      if (attempt < attempts) continue;
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
    throw new AppError("not-found", "The frame is not there any more (404).", { context: { url } });
  }
  if (!response.ok) {
    throw new AppError("upstream-unavailable", `The frame could not be fetched (${response.status}).`, {
      context: { url },
    });
  }
  if (Number(response.headers.get("content-length") ?? 0) > maxFileBytes) {
    throw new AppError("stored-data-invalid", "The frame's file is too large to be a frame.", {
      context: { url },
    });
  }
  return new Uint8Array(await response.arrayBuffer());
}
