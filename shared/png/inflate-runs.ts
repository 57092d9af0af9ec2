// Inflates a zlib stream (RFC 1950, 1951) whose only repetitions are of the last byte. Frames are deflated so, and most
// of their bytes are repeated: the runs are a tenth of them. Any other stream is for a general inflater.
import {
  createHuffmanCode,
  fillLiteralTable,
  findSymbol,
  tableBits,
  type HuffmanCode,
} from "./huffman-table.ts";

/** The next bytes: `byteCount` of `bytes`, and runs among them. Valid during the call that takes it. */
export interface RunBatch {
  readonly bytes: Uint8Array;
  byteCount: number;
  /** For each run, the number of bytes before it, its byte and how often it follows. */
  readonly runAt: Uint16Array;
  readonly runValues: Uint8Array;
  readonly runLengths: Uint16Array;
  runCount: number;
}

/** Returns false to stop. */
export type TakeBatch = (batch: RunBatch) => boolean;

/** `other`: damaged, or with repetitions of more than one byte. `stopped`: `take` returned false. */
export type RunsOutcome = "complete" | "stopped" | "other";

/** RFC 1951, 3.2.5 */
export const longestRun = 258;

/** Few enough for the processor's nearest cache. */
const batchBytes = 4096;
const batchRuns = 1024;
/** Room for two stores of four bytes. */
const storeBytes = 8;
/** Room for reading ahead of the end. */
const spareBytes = 8;
const tableMask = (1 << tableBits) - 1;
const endOfBlock = 256;
const firstLength = 257;
const lastLength = 285;
/** Marks the length of a run in the table, above all symbols. */
const wholeRun = 512;
/** More bits than are ever read ahead. */
const noDistance = 32;
const zlibHeaderBytes = 2;
const checksumBytes = 4;

/** Does not compare the Adler-32 at the end: the caller has checked the bytes of the stream. */
export function inflateRuns(zlib: Uint8Array, take: TakeBatch): RunsOutcome {
  const [method = 0, flags = 0] = zlib;
  const isZlib = (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0 && (flags & 0x20) === 0;
  return isZlib ? new RunInflater(zlib, take).run() : "other";
}

class RunInflater {
  readonly #input: DataView;
  /** Length of the stream; spare bytes of 0 follow. */
  readonly #byteLength: number;
  readonly #take: TakeBatch;
  readonly #bytes = new Uint8Array(batchBytes);
  readonly #view = new DataView(this.#bytes.buffer);
  readonly #table = new Int32Array(1 << tableBits);
  readonly #batch: RunBatch = {
    bytes: this.#bytes,
    byteCount: 0,
    runAt: new Uint16Array(batchRuns),
    runValues: new Uint8Array(batchRuns),
    runLengths: new Uint16Array(batchRuns),
    runCount: 0,
  };
  #last = -1;
  #at = zlibHeaderBytes;
  /** Bits that were read but not used, the next one lowest. */
  #hold = 0;
  #bits = 0;

  constructor(zlib: Uint8Array, take: TakeBatch) {
    const padded = new Uint8Array(zlib.length + spareBytes);
    padded.set(zlib);
    this.#input = new DataView(padded.buffer);
    this.#byteLength = zlib.length;
    this.#take = take;
  }

  run(): RunsOutcome {
    for (let isFinal = false; !isFinal;) {
      isFinal = this.#read(1) === 1;
      const outcome = this.#inflateBlock(this.#read(2));
      if (outcome !== "complete") return outcome;
    }
    if (this.#at - (this.#bits >> 3) !== this.#byteLength - checksumBytes) return "other";
    return this.#flush() ? "complete" : "stopped";
  }

  #inflateBlock(kind: number): RunsOutcome {
    if (kind === 0) return this.#copyStored();
    const codes = kind === 1 ? fixedCodes() : kind === 2 ? this.#readCodes() : undefined;
    if (!codes) return "other";
    const lastByteDistance = findLastByteDistance(codes.distances);
    fillLiteralTable(codes.literals, this.#table);
    this.#addWholeRuns(lastByteDistance);
    return this.#inflateSymbols(codes.literals, lastByteDistance);
  }

  /** Returns the next bits, at most 15; zeros beyond the end. */
  #read(count: number): number {
    this.#fill(count);
    const value = this.#hold & ((1 << count) - 1);
    this.#hold >>>= count;
    this.#bits -= count;
    return value;
  }

  #fill(count: number): void {
    while (this.#bits < count) {
      const byte = this.#at < this.#byteLength ? this.#input.getUint8(this.#at) : 0;
      this.#hold |= byte << this.#bits;
      this.#at += 1;
      this.#bits += 8;
    }
  }

  /** Returns -1 for bits that are not a code. */
  #readSymbol(code: HuffmanCode): number {
    this.#fill(15);
    const found = findSymbol(code, this.#hold);
    this.#hold >>>= found & 15;
    this.#bits -= found & 15;
    return found === 0 ? -1 : found >> 4;
  }

  #flush(): boolean {
    const batch = this.#batch;
    if (batch.byteCount > 0) this.#last = this.#bytes[batch.byteCount - 1]!;
    const isWanted = this.#take(batch);
    batch.byteCount = batch.runCount = 0;
    return isWanted;
  }

  #copyStored(): RunsOutcome {
    this.#read(this.#bits & 7);
    const length = this.#read(15) | (this.#read(1) << 15);
    const check = this.#read(15) | (this.#read(1) << 15);
    if ((length ^ check) !== 0xffff) return "other";
    for (let count = 0; count < length; count++) {
      if (this.#at > this.#byteLength) return "other";
      if (this.#batch.byteCount === batchBytes && !this.#flush()) return "stopped";
      this.#bytes[this.#batch.byteCount++] = this.#read(8);
    }
    return "complete";
  }

  #readCodes(): BlockCodes | undefined {
    const literalCount = this.#read(5) + 257;
    const distanceCount = this.#read(5) + 1;
    const orderCount = this.#read(4) + 4;
    const codeLengths = new Uint8Array(codeLengthOrder.length);
    for (let place = 0; place < orderCount; place++) codeLengths[codeLengthOrder[place]!] = this.#read(3);
    const code = createHuffmanCode(codeLengths);
    const lengths = code && this.#readLengths(code, literalCount + distanceCount);
    const literals = lengths && createHuffmanCode(lengths.subarray(0, literalCount));
    const distances = lengths && createHuffmanCode(lengths.subarray(literalCount));
    return literals && distances && { literals, distances };
  }

  #readLengths(code: HuffmanCode, total: number): Uint8Array | undefined {
    const lengths = new Uint8Array(total);
    for (let at = 0; at < total;) {
      const symbol = this.#readSymbol(code);
      if (symbol < 0) return undefined;
      if (symbol < 16) {
        lengths[at++] = symbol;
        continue;
      }
      const value = symbol === 16 ? lengths[at - 1] : 0;
      const count = symbol === 18 ? 11 + this.#read(7) : 3 + this.#read(symbol === 16 ? 2 : 3);
      if (value === undefined || at + count > total) return undefined;
      lengths.fill(value, at, at + count);
      at += count;
    }
    return lengths;
  }

  /** Puts the length of a run in place of its symbol where all of its bits are known. */
  #addWholeRuns(lastByteDistance: number): void {
    const table = this.#table;
    for (let slot = 0; slot < table.length; slot++) {
      const symbol = table[slot]! >> 6;
      if ((table[slot]! & 0x30) !== 0 || symbol < firstLength || symbol > lastLength) continue;
      const codeBits = table[slot]! & 15;
      const extra = lengthExtras[symbol - firstLength]!;
      const bits = codeBits + extra + lastByteDistance;
      if (bits > tableBits || (slot >> (codeBits + extra)) & ((1 << lastByteDistance) - 1)) continue;
      const length = lengthBases[symbol - firstLength]! + ((slot >> codeBits) & ((1 << extra) - 1));
      table[slot] = ((wholeRun | length) << 6) | bits;
    }
  }

  #inflateSymbols(literals: HuffmanCode, lastByteDistance: number): RunsOutcome {
    const { runAt, runValues, runLengths } = this.#batch;
    const input = this.#input;
    const bytes = this.#bytes;
    const view = this.#view;
    const table = this.#table;
    const lastRead = this.#byteLength;
    let at = this.#at;
    let hold = this.#hold;
    let bits = this.#bits;
    let count = this.#batch.byteCount;
    let runs = this.#batch.runCount;
    for (;;) {
      if (at > lastRead) return "other";
      // Fills up to 24 bits or more without a condition, which costs more where it cannot be predicted.
      hold |= input.getInt32(at, true) << bits;
      at += (31 - bits) >> 3;
      bits |= 24;
      if (count > batchBytes - storeBytes || runs === batchRuns) {
        this.#batch.byteCount = count;
        this.#batch.runCount = runs;
        if (!this.#flush()) return "stopped";
        count = runs = 0;
      }
      let entry = table[hold & tableMask]!;
      let joined = (entry >> 4) & 3;
      if (joined > 0) {
        hold >>>= entry & 15;
        bits -= entry & 15;
        view.setInt32(count, entry >> 6, true);
        count += joined;
        entry = table[hold & tableMask]!;
        joined = (entry >> 4) & 3;
        if (joined > 0) {
          hold >>>= entry & 15;
          bits -= entry & 15;
          view.setInt32(count, entry >> 6, true);
          count += joined;
          continue;
        }
      }
      if (entry >= wholeRun << 6) {
        const value = count > 0 ? bytes[count - 1]! : this.#last;
        if (value < 0) return "other";
        runAt[runs] = count;
        runValues[runs] = value;
        runLengths[runs++] = (entry >> 6) - wholeRun;
        hold >>>= entry & 15;
        bits -= entry & 15;
        continue;
      }
      hold |= input.getInt32(at, true) << bits;
      at += (31 - bits) >> 3;
      bits |= 24;
      const found = entry === 0 ? findSymbol(literals, hold) : ((entry >> 6) << 4) | (entry & 15);
      if (found === 0) return "other";
      hold >>>= found & 15;
      bits -= found & 15;
      const symbol = found >> 4;
      if (symbol < endOfBlock) {
        bytes[count++] = symbol;
        continue;
      }
      if (symbol === endOfBlock) break;
      const value = count > 0 ? bytes[count - 1]! : this.#last;
      if (value < 0 || symbol > lastLength) return "other";
      hold |= input.getInt32(at, true) << bits;
      at += (31 - bits) >> 3;
      bits |= 24;
      const extra = lengthExtras[symbol - firstLength]!;
      const distanceBits = extra + lastByteDistance;
      if ((hold >>> extra) << (32 - lastByteDistance) !== 0 || distanceBits > bits) return "other";
      runAt[runs] = count;
      runValues[runs] = value;
      runLengths[runs++] = lengthBases[symbol - firstLength]! + (hold & ((1 << extra) - 1));
      hold >>>= distanceBits;
      bits -= distanceBits;
    }
    this.#at = at;
    this.#hold = hold;
    this.#bits = bits;
    this.#batch.byteCount = count;
    this.#batch.runCount = runs;
    return "complete";
  }
}

interface BlockCodes {
  readonly literals: HuffmanCode;
  readonly distances: HuffmanCode;
}

/**
 * Returns the length of the code of distance 1, whose bits are all 0 if it is the first of the shortest; a length that
 * no code has if it is not.
 */
function findLastByteDistance({ counts, symbols }: HuffmanCode): number {
  return symbols[0] === 0 ? counts.findIndex((count) => count > 0) : noDistance;
}

/** RFC 1951, 3.2.7 */
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/** RFC 1951, 3.2.5, symbols from 257 */
const lengthBases = Uint16Array.of(
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163],
  ...[195, 227, 258],
);
const lengthExtras = Uint8Array.of(
  ...[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0],
);

/** RFC 1951, 3.2.6 */
function fixedCodes(): BlockCodes {
  const lengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  return {
    literals: createHuffmanCode(lengths)!,
    distances: createHuffmanCode(new Uint8Array(32).fill(5))!,
  };
}
