// A host that a test kills and restarts on the same port, so that viewers find it again.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { FeedHealth } from "../../shared/contract/feed-health.ts";
import type { StationRequest } from "./station-child.ts";

const patienceMs = 60_000;
const childFile = fileURLToPath(new URL("station-child.ts", import.meta.url));

export class Station {
  readonly #data: string;
  readonly #feed: StationRequest["feed"];
  #child: ChildProcess | undefined;
  #origin = "";
  #errors = "";

  constructor(data: string, feed: StationRequest["feed"]) {
    this.#data = data;
    this.#feed = feed;
  }

  /** Origin of the host; constant from the first start on. */
  get origin(): string {
    return this.#origin;
  }

  /** Standard error of all hosts so far. */
  get errors(): string {
    return this.#errors;
  }

  /** Starts the host; resolves once it responds. */
  async start(): Promise<void> {
    const port = this.#origin === "" ? 0 : Number(new URL(this.#origin).port);
    const request: StationRequest = { data: this.#data, port, feed: this.#feed };
    const child = spawn(process.execPath, [childFile, JSON.stringify(request)]);
    this.#child = child;
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#errors += text));
    const ended = once(child, "exit").then(() => {
      throw new Error(`The host ended before it responded: ${this.#errors}`);
    });
    const line = once(createInterface({ input: child.stdout }), "line") as Promise<[string]>;
    // Prevents an unhandled rejection if the host ends after the race.
    ended.catch(() => undefined);
    [this.#origin] = await Promise.race([line, ended]);
  }

  /** Waits until the feed is idle. */
  async settle(): Promise<void> {
    const startedMs = performance.now();
    for (;;) {
      const response = await fetch(`${this.#origin}/app/feeds`);
      const { feeds } = (await response.json()) as { feeds: FeedHealth[] };
      if (feeds.every(({ pendingWindows, state }) => pendingWindows === 0 && state === "source-idle")) return;
      if (performance.now() - startedMs > patienceMs) throw new Error(`The feed: ${JSON.stringify(feeds)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Kills the host; resolves once the process has ended. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
}
