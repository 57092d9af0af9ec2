// One of two machines: an Echotop with its own data and ports, controlled like its page, that can be killed and
// restarted at the same addresses.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, vi } from "vitest";
import { defaultApiConfig, loopbackAddress, type ApiConfig } from "../../electron/host/config/host-config.ts";
import type { HostActionName } from "../../shared/contract/action-names.ts";
import { actions, type ActionInput, type ActionOutput } from "../../shared/contract/actions.ts";
import type { Pack } from "../../shared/contract/packs.ts";
import type { Task } from "../../shared/contract/task.ts";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import type { DeskRequest } from "./desk-child.ts";

const childFile = fileURLToPath(new URL("desk-child.ts", import.meta.url));
const actionToken = "of-this-run-0123456789";
const patience = { timeout: 40_000, interval: 50 };

export class Desk {
  readonly #folder = makeTemporaryDirectory("desk");
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #port = 0;
  #hostingPort = 0;
  #said = "";
  #origin = "";

  get data(): string {
    return join(this.#folder, "data");
  }

  /** Origin of the storm listener, the same after every start. */
  get origin(): string {
    return this.#origin;
  }

  /** Port of hosting; 0 before it was switched on. */
  get hostingPort(): number {
    return this.#hostingPort;
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  /** Standard error of all its hosts. */
  get said(): string {
    return this.#said;
  }

  /** Resolves once it answers. Hosting is off until it is switched on, and then keeps its port. */
  async start(lan: Partial<ApiConfig["lan"]> = {}): Promise<this> {
    const local = { address: loopbackAddress, port: 0, hostNames: [loopbackAddress] };
    const api = { port: this.#hostingPort, lan: { ...defaultApiConfig.lan, ...local, ...lan } };
    const request: DeskRequest = { data: this.data, port: this.#port, actionToken, api };
    const child = spawn(process.execPath, [childFile, JSON.stringify(request)]);
    this.#child = child;
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#said += text));
    this.#ended = once(child, "close");
    const line = once(createInterface({ input: child.stdout }), "line") as Promise<[string]>;
    const failed = this.#ended.then(() => {
      throw new Error(`The desk ended before it answered: ${this.#said}`);
    });
    // Later it has nobody to tell.
    failed.catch(() => undefined);
    const [text] = await Promise.race([line, failed]);
    this.#origin = (JSON.parse(text) as { origin: string }).origin;
    this.#port = portOf(this.#origin);
    return this;
  }

  /** Runs an action as the page does. Throws a refusal with its message. */
  async act<Name extends HostActionName>(name: Name, input: ActionInput<Name>): Promise<ActionOutput<Name>> {
    const response = await fetch(`${this.#origin}/app/${name}`, {
      method: "POST",
      headers: { authorization: `Bearer ${actionToken}`, "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    const body: unknown = await response.json();
    if (!response.ok) throw new Error(`${name} answered ${response.status}: ${JSON.stringify(body)}`);
    return actions[name].output.parse(body) as ActionOutput<Name>;
  }

  /** Waits for the end of a task and returns it. */
  async ended({ id }: Task): Promise<Task> {
    let task: Task | undefined;
    await vi.waitUntil(async () => {
      const { tasks } = await this.act("tasks.list", {});
      task = tasks.find((other) => other.id === id);
      return task !== undefined && task.state !== "running";
    }, patience);
    return task!;
  }

  /** Waits for a task, which must succeed; returns its message. */
  async done(task: Task): Promise<string> {
    const { state, message } = await this.ended(task);
    expect(state, `${message}\n${this.#said}`).toBe("done");
    return message;
  }

  async findPack(eventId: string): Promise<Pack | undefined> {
    return (await this.act("packs.list", {})).packs.find((pack) => pack.eventId === eventId);
  }

  /** Waits until the share has everything up to a sequence. */
  async whenShared(eventId: string, sequence: number): Promise<void> {
    await vi.waitUntil(async () => {
      const pack = await this.findPack(eventId);
      return pack?.latestSequence === sequence && pack.shared?.pending === 0;
    }, patience);
  }

  /** Switches hosting on, shares the event, and returns an invitation. */
  async shareAndInvite(eventId: string): Promise<ActionOutput<"packs.invite">> {
    const { listener } = await this.act("hosting.switch", { on: true });
    if (listener.status !== "on") throw new Error(`Hosting is ${JSON.stringify(listener)}.`);
    this.#hostingPort = portOf(listener.address);
    await this.done(await this.act("packs.share", { eventId }));
    return this.act("packs.invite", { eventId, ttlSeconds: 3600 });
  }

  /** Interrupts it; returns the exit status. */
  async stop(): Promise<number | null | undefined> {
    return this.#end("SIGINT");
  }

  /** Kills it, as a power cut would. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async remove(): Promise<void> {
    await this.stop();
    removeDirectory(this.#folder);
  }

  async #end(signal: NodeJS.Signals): Promise<number | null | undefined> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return undefined;
    child.kill(signal);
    await this.#ended;
    return child.exitCode;
  }
}

const portOf = (origin: string): number => Number(new URL(origin).port);
