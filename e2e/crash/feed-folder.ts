// A folder where a live feed's files appear by rename until it is closed. Its clock runs fast, so that minutes of the
// trial are hours of the feed.
import { mkdirSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { windowMs } from "../../shared/revisions/observation-window.ts";
import { writeGribFile } from "../../electron/support/grib-files.ts";

export interface FastClock {
  /** Two simultaneous readings, in milliseconds since the Unix epoch: real time and feed time. */
  readonly realMs: number;
  readonly feedMs: number;
}

/** Speed of the feed's time relative to real time. */
const pace = 60;

export function feedNowMs({ realMs, feedMs }: FastClock): number {
  return feedMs + (Date.now() - realMs) * pace;
}

export class FeedFolder {
  readonly directory: string;
  readonly clock: FastClock = { realMs: Date.now(), feedMs: Date.UTC(2024, 4, 20) };
  readonly #making: string;
  readonly #random: () => number;
  readonly #timer: NodeJS.Timeout;
  #written = 0;
  #lastWindow = 0;

  constructor(root: string, random: () => number) {
    this.directory = join(root, "feed");
    this.#making = join(root, "feed-making");
    mkdirSync(this.directory, { recursive: true });
    mkdirSync(this.#making, { recursive: true });
    this.#random = random;
    this.#timer = setInterval(() => {
      this.#write();
    }, windowMs / pace);
  }

  /** Stops the feed: no more files appear. */
  close(): void {
    clearInterval(this.#timer);
  }

  /** Writes the files of the window that has just ended. Sometimes one is late or corrects an older file. */
  #write(): void {
    const window = Math.floor(feedNowMs(this.clock) / windowMs) - 1;
    if (window === this.#lastWindow) return;
    this.#put("mrms-mesh", this.#random() < 0.1 && this.#lastWindow > 0 ? this.#lastWindow : window);
    if (this.#random() < 0.9) this.#put("mrms-reflectivity", window);
    this.#lastWindow = window;
  }

  #put(product: "mrms-mesh" | "mrms-reflectivity", window: number): void {
    const own = this.#written++;
    const marks = [own % 12, Math.floor(own / 12) % 12, Math.floor(own / 144) % 12];
    const values = (row: number, column: number): number =>
      ((row === 0 ? (marks[column] ?? 1) : row * 5 + column) % 12) * 5;
    const observedAt = new Date(window * windowMs + 39_000).toISOString();
    const path = writeGribFile(this.#making, { product, observedAt, values });
    renameSync(path, join(this.directory, basename(path)));
  }
}
