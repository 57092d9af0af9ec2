// A part that starts and stops while the host runs.
import { isAppError } from "../../../shared/app-error.ts";
import type { ListenerState } from "../../../shared/contract/packs.ts";
import type { Log } from "../../platform/effects.ts";

export interface RunningPart {
  /** Address without a path, such as `http://127.0.0.1:47801`. */
  readonly origin: string;
  close(): Promise<void>;
}

export interface SwitchedPartOptions<Running> {
  readonly start: () => Promise<Running>;
  /** Message for an error that was not written for people; the log has the error too. */
  readonly failure: string;
  readonly log: Log;
}

/** The caller orders the calls: one at a time. */
export class SwitchedPart<Running extends RunningPart> {
  readonly #options: SwitchedPartOptions<Running>;
  #running: Running | undefined;
  #problem: string | undefined;

  constructor(options: SwitchedPartOptions<Running>) {
    this.#options = options;
  }

  get running(): Running | undefined {
    return this.#running;
  }

  state(): ListenerState {
    if (this.#running) return { status: "on", address: this.#running.origin };
    return this.#problem === undefined ? { status: "off" } : { status: "failed", problem: this.#problem };
  }

  /** Starts the part if it is off. @throws as `start` does */
  async startOrThrow(): Promise<void> {
    this.#running ??= await this.#options.start();
    this.#problem = undefined;
  }

  /** Starts the part if it is off; a failure becomes the state and is logged. */
  async start(): Promise<void> {
    const { failure, log } = this.#options;
    try {
      await this.startOrThrow();
    } catch (error) {
      this.#problem = isAppError(error) ? error.detail : failure;
      log("warn", this.#problem, isAppError(error) ? error.context : { error });
    }
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#problem = undefined;
    await running?.close();
  }
}
