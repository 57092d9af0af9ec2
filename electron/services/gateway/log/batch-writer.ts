// Collects records and writes them together, outside the path of any request. The memory for waiting records is
// limited: if the store fails for long, further records are lost, counted and reported once.
import { setImmediate as breathe } from "node:timers/promises";
import { messageOf } from "../../../../shared/app-error.ts";
import type { Log } from "../../../platform/effects.ts";
import { logLimits } from "../gateway-limits.ts";
import type { RecordStore } from "./record-store.ts";
import { toBounded, type RequestRecord } from "./request-record.ts";

export interface BatchWriterOptions {
  /** Writes all records or, if the store fails, throws and writes none. */
  readonly write: RecordStore["insert"];
  readonly log: Log;
  /** Limit for waiting records. */
  readonly maxBytes?: number;
}

export interface WaitingRecords {
  readonly waiting: number;
  /** Records lost since the start. */
  readonly lost: number;
}

export class BatchWriter {
  readonly #write: BatchWriterOptions["write"];
  readonly #log: Log;
  readonly #maxBytes: number;
  #waiting: RequestRecord[] = [];
  #bytes = 0;
  /** Number of records that were ever accepted, and of those that are written. */
  #taken = 0;
  #written = 0;
  /** Number of lost records that are still to be reported, and of all. */
  #lost = 0;
  #everLost = 0;
  #failing = false;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #closed = false;

  constructor({ write, log, maxBytes = logLimits.waitingBytes }: BatchWriterOptions) {
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
    const isBatch = this.#waiting.length >= logLimits.writeAfterRecords && !this.#failing;
    if (isBatch && this.#flushing === undefined) void this.flush();
    else this.#schedule();
  }

  state(): WaitingRecords {
    return { waiting: this.#waiting.length, lost: this.#everLost };
  }

  /** Resolves when every record accepted before is written, or the store has failed. Never rejects. */
  async flush(): Promise<void> {
    const upTo = this.#taken;
    while (this.#written < upTo) {
      const written = this.#written;
      await (this.#flushing ??= this.#writeAll());
      if (this.#written === written) return;
    }
  }

  /** Writes what waits; what the store refuses now is lost. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.flush();
    clearTimeout(this.#timer);
    const refused = this.#waiting.splice(0).length;
    this.#lost += refused;
    this.#everLost += refused;
    if (this.#lost > 0) this.#reportLost();
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        void this.flush();
      },
      this.#failing ? logLimits.retryWriteMs : logLimits.writeAfterMs,
    ).unref();
  }

  async #writeAll(): Promise<void> {
    try {
      // Outside the request's own tick.
      await breathe();
      while (this.#waiting.length > 0 && (await this.#writeSlice())) await breathe();
    } finally {
      this.#flushing = undefined;
      if (this.#waiting.length > 0) this.#schedule();
    }
  }

  async #writeSlice(): Promise<boolean> {
    const slice = this.#waiting.slice(0, logLimits.transactionRecords);
    try {
      await this.#write(slice);
    } catch (error) {
      if (!this.#failing) {
        this.#failing = true;
        this.#log("error", `The gateway's request records cannot be written: ${messageOf(error)}`);
      }
      return false;
    }
    this.#waiting.splice(0, slice.length);
    this.#written += slice.length;
    this.#bytes = this.#waiting.length === 0 ? 0 : this.#bytes - sum(slice);
    if (this.#failing) this.#log("info", "The gateway's request records are written again.");
    this.#failing = false;
    if (this.#lost > 0 && this.#waiting.length === 0) this.#reportLost();
    return true;
  }

  /** Reports the first lost record at once, and their number at the end. */
  #lose(): void {
    this.#lost += 1;
    this.#everLost += 1;
    if (this.#lost > 1 || this.#closed) return;
    this.#log("error", "Request records of the gateway are lost: too many wait to be written.");
  }

  #reportLost(): void {
    this.#log("warn", `${this.#lost} request records of the gateway were lost.`);
    this.#lost = 0;
  }
}

function sum(records: readonly RequestRecord[]): number {
  return records.reduce((bytes, record) => bytes + toByteLength(record), 0);
}

/** Returns about the memory that a waiting record takes, in bytes. */
function toByteLength({
  path,
  userAgent,
  host,
  redirectsForAiTrainingTarget: target,
}: RequestRecord): number {
  return 400 + 2 * (path.length + userAgent.length + host.length + (target?.length ?? 0));
}
