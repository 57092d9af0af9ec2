// Switches the gateway on and off while the host runs; the settings remember the choice.
import { AppError } from "../../../shared/app-error.ts";
import type { ListenerState } from "../../../shared/contract/packs.ts";
import { createClosableMutex } from "../../platform/locks/mutex.ts";
import type { SettingsFile } from "../config/settings.ts";
import type { ControlStores } from "./control-stores.ts";
import type { SharedApi } from "./start-api.ts";
import type { GatewayEffects, GatewayHostConfig, RunningGateway } from "./start-gateway.ts";
import { SwitchedPart } from "./switched-part.ts";

export interface GatewaySwitchOptions {
  readonly config: GatewayHostConfig;
  readonly settings: SettingsFile;
  readonly api: Pick<SharedApi, "add">;
  readonly control: Pick<ControlStores, "openSettings" | "openLog">;
  readonly effects: GatewayEffects;
}

/**
 * Starts the gateway if the configuration or the settings ask for it.
 * @throws as `startGateway` if the configuration does
 */
export async function openGatewaySwitch(options: GatewaySwitchOptions): Promise<GatewaySwitch> {
  const gateway = new GatewaySwitch(options);
  await gateway.open();
  return gateway;
}

export class GatewaySwitch {
  readonly #options: GatewaySwitchOptions;
  readonly #changes = createClosableMutex();
  readonly #part: SwitchedPart<RunningGateway>;

  constructor(options: GatewaySwitchOptions) {
    const { config, effects, api, control } = options;
    this.#options = options;
    this.#part = new SwitchedPart({
      // Most hosts have no gateway: its module is loaded when needed.
      start: async () =>
        (await import("./start-gateway.ts")).startGateway(config, effects, { listener: api, control }),
      failure: "The gateway could not be started.",
      log: effects.log,
    });
  }

  get running(): RunningGateway | undefined {
    return this.#part.running;
  }

  /** True if the configuration file switches the gateway on; it cannot be switched off then. */
  get isConfigured(): boolean {
    return this.#options.config.gateway.isOn;
  }

  /** Must be the first call. */
  async open(): Promise<void> {
    if (this.isConfigured) await this.#part.startOrThrow();
    else if (this.#options.settings.current().gateway) await this.#part.start();
  }

  listener(): ListenerState {
    return this.#part.state();
  }

  /**
   * Resolves with the new state, also if it is `failed`.
   * @throws AppError `conflict` if the configuration decides; `storage-failed`
   */
  switch(on: boolean): Promise<ListenerState> {
    return this.#changes.run(async () => {
      if (this.isConfigured && !on) {
        throw new AppError("conflict", "The configuration file switches the gateway on; change it there.");
      }
      await this.#options.settings.change({ gateway: on });
      await (on ? this.#part.start() : this.#part.stop());
      return this.listener();
    });
  }

  /** Idempotent. */
  close(): Promise<void> {
    return this.#changes.close(() => this.#part.stop());
  }
}
