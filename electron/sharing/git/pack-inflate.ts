// One zlib stream inside a pack, which says nowhere where it ends: it is inflated, the result dropped, and the input that it
// took counted. Small objects in one call, as making a stream for each would dominate; large ones in pieces.
import { createInflate, inflateSync, type Inflate } from "node:zlib";
import type { ByteWindow } from "./byte-window.ts";
import { PackRefused } from "./packfile-limits.ts";
import { releaseMemory } from "../../../shared/release-memory.ts";

export interface Inflated {
  /** Of this piece, unpacked. */
  readonly byteLength: number;
  /** The object's first bytes, 20 or all; once, as soon as they are known. */
  readonly head: Buffer | undefined;
}

const headBytes = 20;
/** A millisecond or two of work; a turn of the thread pool for each piece of it costs more, most of all on a busy machine. */
const wholeBytes = 1024 * 1024;
const pieceBytes = 65_536;

/**
 * Steps `window` over the stream that begins at its offset.
 * @param size what the entry's header says it unpacks to
 * @throws PackRefused when it is damaged, cut, or unpacks to another size
 */
export async function* inflateEntry(window: ByteWindow, size: number): AsyncGenerator<Inflated> {
  if (size <= wholeBytes) {
    // A stream of this size is longer than that only if somebody padded it; then it is read in pieces.
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

/** Undefined when the input ends before the stream does. */
function inflateWhole(
  input: Buffer,
  size: number,
): { readonly consumed: number; readonly head: Buffer } | undefined {
  const chunkSize = Math.max(64, size + 1);
  try {
    // `info` gives the engine too, which the type does not know.
    const { buffer, engine } = inflateSync(input, {
      info: true,
      chunkSize,
      maxOutputLength: size + 1,
    }) as unknown as { readonly buffer: Buffer; readonly engine: Inflate };
    if (buffer.length !== size) throw new PackRefused("pack is damaged");
    const head = Buffer.from(buffer.subarray(0, headBytes));
    releaseMemory(buffer, chunkSize);
    return { consumed: engine.bytesWritten, head };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "Z_BUF_ERROR") return undefined;
    throw asDamage(error);
  }
}

async function* inflatePieces(window: ByteWindow, size: number): AsyncGenerator<Inflated> {
  const engine = createInflate({ chunkSize: pieceBytes });
  const seen = watch(engine);
  try {
    let total = 0;
    let given = false;
    while (!seen.ended) {
      if (!(await window.require(1))) throw new PackRefused("pack ends before its last object");
      const before = engine.bytesWritten;
      const input = window.available;
      const piece = await seen.inflate(input.subarray(0, pieceBytes));
      window.advance(engine.bytesWritten - before);
      total += piece.byteLength;
      if (total > size) throw new PackRefused("pack is damaged");
      const known = seen.head.length >= Math.min(headBytes, size);
      yield { byteLength: piece.byteLength, head: known && !given ? seen.head : undefined };
      given ||= known;
    }
    if (total !== size) throw new PackRefused("pack is damaged");
  } finally {
    engine.destroy();
  }
}

interface Watched {
  readonly ended: boolean;
  readonly head: Buffer;
  /** Resolves when the input is used up or the stream has ended; rejects with PackRefused. */
  inflate(input: Buffer): Promise<{ readonly byteLength: number }>;
}

function watch(engine: Inflate): Watched {
  const state = { ended: false, head: Buffer.alloc(0), byteLength: 0 };
  let settle: ((error?: Error) => void) | undefined;
  engine.on("data", (chunk: Buffer) => {
    if (state.head.length < headBytes) {
      state.head = Buffer.concat([state.head, chunk.subarray(0, headBytes - state.head.length)]);
    }
    state.byteLength += chunk.length;
  });
  engine.on("end", () => {
    state.ended = true;
    settle?.();
  });
  engine.on("error", (error) => {
    settle?.(asDamage(error));
  });
  return {
    get ended() {
      return state.ended;
    },
    get head() {
      return state.head;
    },
    inflate: (input) =>
      new Promise((resolve, reject) => {
        state.byteLength = 0;
        settle = (error) => {
          if (error === undefined) resolve({ byteLength: state.byteLength });
          else reject(error);
        };
        engine.write(input, () => settle?.());
      }),
  };
}

/** What zlib says of bad input; anything else stays what it is. */
function asDamage(error: unknown): Error {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return code.startsWith("Z_") || code === "ERR_BUFFER_TOO_LARGE"
    ? new PackRefused("pack is damaged")
    : (error as Error);
}
