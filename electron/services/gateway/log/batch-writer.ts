// Records wait here until some of them are written together, off the path of any request. What waits is bounded: where the disk
// refuses for long, further records are lost, counted, and said once.
import { setImmediate as breathe } from "node:timers/promises";
import { messageOf } from "../../../../shared/app-error.ts";
import type { Log } from "../../../platform/effects.ts";
import { toBounded, toByteLength } from "./record-rows.ts";
import type { RequestRecord } from "./request-record.ts";

export interface BatchWriterOptions {
  /** All of them or none; throws where the disk refuses. */
  readonly write: (records: readonly RequestRecord[]) => void;
  readonly log: Log;
  /** Of what waits, in bytes; 16 MiB unless given. */
  readonly maxBytes?: number;
}

/** A record waits so long at most. */
const patienceMs = 250;
/** After a refusal of the disk. */
const retryMs = 1_000;
/** So many are written without waiting for the time. */
const batchLength = 500;
/** Records of one transaction: two or three milliseconds. */
const sliceLength = 250;

export class BatchWriter {
  readonly #write: BatchWriterOptions["write"];
  readonly #log: Log;
  readonly #maxBytes: number;
  #waiting: RequestRecord[] = [];
  #bytes = 0;
  /** Of all records that were ever taken, and of those that are written. */
  #taken = 0;
  #written = 0;
  #lost = 0;
  #failing = false;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #closed = false;

  constructor({ write, log, maxBytes = 16 * 1024 * 1024 }: BatchWriterOptions) {
    this.#write = write;
    this.#log = log;
    this.#maxBytes = maxBytes;
  }

  append(record: RequestRecord): void {
    const bounded = toBounded(record);
    const byteLength = toByteLength(bounded);
    if (this.#closed || this.#bytes + byteLength > this.#maxBytes) {
      this.#lose();
      return;
    }
    this.#waiting.push(bounded);
    this.#bytes += byteLength;
    this.#taken += 1;
    const isBatch = this.#waiting.length >= batchLength && !this.#failing;
    if (isBatch && this.#flushing === undefined) void this.flush();
    else this.#schedule();
  }

  /** Done when every record that was taken before is written, or the disk has refused. Never rejects. */
  async flush(): Promise<void> {
    const upTo = this.#taken;
    while (this.#written < upTo) {
      const written = this.#written;
      await (this.#flushing ??= this.#writeAll());
      if (this.#written === written) return;
    }
  }

  /** Writes what waits; what the disk refuses now is lost. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.flush();
    clearTimeout(this.#timer);
    this.#lost += this.#waiting.splice(0).length;
    if (this.#lost > 0) this.#tellLost();
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        void this.flush();
      },
      this.#failing ? retryMs : patienceMs,
    ).unref();
  }

  async #writeAll(): Promise<void> {
    try {
      // Not in the turn of whoever appended.
      await breathe();
      while (this.#waiting.length > 0 && this.#writeSlice()) await breathe();
    } finally {
      this.#flushing = undefined;
      if (this.#waiting.length > 0) this.#schedule();
    }
  }

  #writeSlice(): boolean {
    const slice = this.#waiting.slice(0, sliceLength);
    try {
      this.#write(slice);
    } catch (error) {
      if (!this.#failing) {
        this.#failing = true;
        this.#log("error", `Records of requests cannot be written: ${messageOf(error)}`);
      }
      return false;
    }
    this.#waiting.splice(0, slice.length);
    this.#written += slice.length;
    this.#bytes = this.#waiting.length === 0 ? 0 : this.#bytes - sum(slice);
    if (this.#failing) this.#log("info", "Records of requests are written again.");
    this.#failing = false;
    if (this.#lost > 0 && this.#waiting.length === 0) this.#tellLost();
    return true;
  }

  /** The first of a spell is said at once, how many they were at its end. */
  #lose(): void {
    this.#lost += 1;
    if (this.#lost > 1 || this.#closed) return;
    this.#log("error", "Records of requests are lost: too many wait to be written.");
  }

  #tellLost(): void {
    this.#log("warn", `${this.#lost} records of requests were lost.`);
    this.#lost = 0;
  }
}

function sum(records: readonly RequestRecord[]): number {
  return records.reduce((bytes, record) => bytes + toByteLength(record), 0);
}
