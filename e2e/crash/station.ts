// A host that is killed and started again on the same port, so that whoever watches it finds it again.
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

  /** The same from the first start on. */
  get origin(): string {
    return this.#origin;
  }

  /** What the hosts have said on standard error, all together. */
  get errors(): string {
    return this.#errors;
  }

  /** Resolves once the host answers. */
  async start(): Promise<void> {
    const port = this.#origin === "" ? 0 : Number(new URL(this.#origin).port);
    const request: StationRequest = { data: this.#data, port, feed: this.#feed };
    const child = spawn(process.execPath, [childFile, JSON.stringify(request)]);
    this.#child = child;
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#errors += text));
    const ended = once(child, "exit").then(() => {
      throw new Error(`The host ended before it answered: ${this.#errors}`);
    });
    const line = once(createInterface({ input: child.stdout }), "line") as Promise<[string]>;
    // Whichever is later has nobody to tell.
    ended.catch(() => undefined);
    [this.#origin] = await Promise.race([line, ended]);
  }

  /** Waits until the feed has nothing more to do. */
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

  /** Resolves when the process is gone. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
}
