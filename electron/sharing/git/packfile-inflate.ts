// Measures one zlib stream inside a packfile, which does not say where it ends: inflates it, drops the result and
// counts the input it used. Small objects take one call, because creating a stream for each would dominate; large ones
// go in pieces.
import { createInflate, inflateSync, type Inflate } from "node:zlib";
import { releaseMemory } from "../../../shared/release-memory.ts";
import type { ByteWindow } from "./byte-window.ts";
import { packFaults, PackRefused } from "./packfile-limits.ts";

export interface Inflated {
  /** Inflated length of this piece in bytes. */
  readonly byteLength: number;
  /** The object's first bytes, 20 or all of them; given once, as soon as they are known. */
  readonly head: Buffer | undefined;
}

const headBytes = 20;
/** A millisecond or two of work; the thread pool costs more per piece, most of all on a busy machine. */
const wholeBytes = 1024 * 1024;
const pieceBytes = 65_536;

/**
 * Advances `window` over the stream at its offset.
 * @param size inflated size, from the entry's header
 * @throws PackRefused if the stream is damaged, cut, or inflates to another size
 */
export async function* inflateEntry(window: ByteWindow, size: number): AsyncGenerator<Inflated> {
  if (size <= wholeBytes) {
    // A stream longer than this was padded on purpose; it is then read in pieces.
    await window.require(Math.ceil(size * 1.001) + 64);
    const whole = inflateWhole(window.available, size);
    if (whole !== undefined) {
      window.advance(whole.consumed);
      yield { byteLength: size, head: whole.head };
      return;
    }
  }
  yield* inflatePieces(window, size);
}

/** Returns undefined if the input ends before the stream does. */
function inflateWhole(
  input: Buffer,
  size: number,
): { readonly consumed: number; readonly head: Buffer } | undefined {
  const chunkSize = Math.max(64, size + 1);
  try {
    // With `info`, the engine is returned too, which the type does not declare.
    const { buffer, engine } = inflateSync(input, {
      info: true,
      chunkSize,
      maxOutputLength: size + 1,
    }) as unknown as { readonly buffer: Buffer; readonly engine: Inflate };
    if (buffer.length !== size) throw new PackRefused(packFaults.damaged);
    const head = Buffer.from(buffer.subarray(0, headBytes));
    releaseMemory(buffer, chunkSize);
    return { consumed: engine.bytesWritten, head };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "Z_BUF_ERROR") return undefined;
    throw toRefusal(error);
  }
}

async function* inflatePieces(window: ByteWindow, size: number): AsyncGenerator<Inflated> {
  const engine = createInflate({ chunkSize: pieceBytes });
  let head: Buffer = Buffer.alloc(0);
  let total = 0;
  const stream = { hasEnded: false };
  let settle: ((error?: unknown) => void) | undefined;
  engine.on("data", (chunk: Buffer) => {
    total += chunk.length;
    if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
  });
  engine.on("end", () => {
    stream.hasEnded = true;
    settle?.();
  });
  engine.on("error", (error) => settle?.(error));
  /** Resolves when the input is used up or the stream has ended. */
  const inflate = (input: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      settle = (error) => {
        if (error === undefined) resolve();
        else reject(toRefusal(error));
      };
      engine.write(input, () => settle?.());
    });
  try {
    let isHeadGiven = false;
    while (!stream.hasEnded) {
      if (!(await window.require(1))) throw new PackRefused(packFaults.cut);
      const [inputBefore, totalBefore] = [engine.bytesWritten, total];
      await inflate(window.available.subarray(0, pieceBytes));
      window.advance(engine.bytesWritten - inputBefore);
      if (total > size) throw new PackRefused(packFaults.damaged);
      const isHeadKnown = head.length >= Math.min(headBytes, size);
      yield { byteLength: total - totalBefore, head: isHeadKnown && !isHeadGiven ? head : undefined };
      isHeadGiven ||= isHeadKnown;
    }
    if (total !== size) throw new PackRefused(packFaults.damaged);
  } finally {
    engine.destroy();
  }
}

/** Converts zlib's errors about bad input; passes other errors through. */
function toRefusal(error: unknown): Error {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return code.startsWith("Z_") || code === "ERR_BUFFER_TOO_LARGE"
    ? new PackRefused(packFaults.damaged)
    : (error as Error);
}
