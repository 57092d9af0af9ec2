// The gateway as it is switched on and off while the host runs: one change at a time, kept in the settings. Part of the
// composition, as start.ts is.
import { AppError } from "../../../shared/app-error.ts";
import type { GatewayListener } from "../../../shared/contract/briefings.ts";
import type { SettingsFile } from "../config/settings.ts";
import type { SharedApi } from "./start-api.ts";
import type { GatewayEffects, GatewayHostConfig, RunningGateway } from "./start-gateway.ts";
import { tellFailure } from "./tell-failure.ts";
import { createClosableMutex } from "../../platform/locks/mutex.ts";

export interface GatewaySwitchOptions {
  readonly config: GatewayHostConfig;
  readonly settings: SettingsFile;
  readonly api: Pick<SharedApi, "add">;
  readonly effects: GatewayEffects;
}

/**
 * Opens what the configuration and the settings say. What the configuration asks for and cannot be had is thrown, as
 * `startGateway` does; what the settings ask for becomes a state that says why it failed.
 */
export async function openGatewaySwitch(options: GatewaySwitchOptions): Promise<GatewaySwitch> {
  const gateway = new GatewaySwitch(options);
  await gateway.open();
  return gateway;
}

export class GatewaySwitch {
  readonly #options: GatewaySwitchOptions;
  readonly #changes = createClosableMutex();
  #running: RunningGateway | undefined;
  #problem: string | undefined;

  constructor(options: GatewaySwitchOptions) {
    this.#options = options;
  }

  get running(): RunningGateway | undefined {
    return this.#running;
  }

  /** The configuration file decides; otherwise the switch does. */
  get isConfigured(): boolean {
    return this.#options.config.gateway.isOn;
  }

  /** Called once, before anything else. */
  async open(): Promise<void> {
    if (this.isConfigured) this.#running = await this.#startRunning();
    else if (this.#options.settings.current().gateway) await this.#start();
  }

  listener(): GatewayListener {
    if (this.#running) return { status: "on", address: this.#running.origin };
    return this.#problem === undefined ? { status: "off" } : { status: "failed", problem: this.#problem };
  }

  /** Resolves with what came of it. Throws `conflict` where the configuration decides, and `storage-failed`. */
  switch(on: boolean): Promise<GatewayListener> {
    return this.#changes.run(async () => {
      if (this.isConfigured && !on) {
        throw new AppError(
          "conflict",
          "The configuration file switches the gateway on; it says when it ends.",
        );
      }
      await this.#options.settings.change({ gateway: on });
      if (!on) await this.#stop();
      else if (!this.#running) await this.#start();
      return this.listener();
    });
  }

  /** Idempotent. */
  close(): Promise<void> {
    return this.#changes.close(() => this.#stop());
  }

  async #start(): Promise<void> {
    try {
      this.#running = await this.#startRunning();
      this.#problem = undefined;
    } catch (error) {
      this.#problem = tellFailure(error, "The gateway could not be started.", this.#options.effects.log);
    }
  }

  /** Most hosts have no gateway: it is loaded when it is wanted. */
  async #startRunning(): Promise<RunningGateway> {
    const { startGateway } = await import("./start-gateway.ts");
    const { config, effects, api } = this.#options;
    return startGateway(config, effects, api);
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#problem = undefined;
    await running?.close();
  }
}
