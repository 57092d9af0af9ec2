// Settings, the shared API listener and a log in a temporary directory, for tests of the host's switches.
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  defaultApiConfig,
  loopbackAddress,
  toDefaultGatewayConfig,
  type ApiConfig,
  type GatewayConfig,
} from "../../config/host-config.ts";
import type { Effects } from "../../../platform/effects.ts";
import { programFiles } from "../../config/program-files.ts";
import { defaultServiceConfig } from "../../config/service-config.ts";
import { openSettings, type SettingsFile } from "../../config/settings.ts";
import { createControlStores, type ControlStores } from "../control-stores.ts";
import { createSharedApi, type SharedApi } from "../start-api.ts";

export interface SwitchedConfig {
  readonly api?: Partial<ApiConfig>;
  readonly gateway?: Partial<GatewayConfig>;
  /** Listener of another host, to share it; a new one by default. */
  readonly directory?: string;
}

export interface SwitchedParts {
  readonly config: {
    readonly dataDirectory: string;
    readonly api: ApiConfig;
    readonly gateway: GatewayConfig;
  };
  readonly settings: SettingsFile;
  readonly api: SharedApi;
  readonly control: ControlStores;
  readonly effects: Pick<Effects, "now" | "log" | "fetch">;
  /** Log lines such as `warn: sentence`, in order, without those of level `info`. */
  readonly warnings: readonly string[];
}

export async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "echotop-switch-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** LAN sharing in a form that tests can use. */
export const lanHere: ApiConfig["lan"] = {
  ...{ ...defaultApiConfig.lan, address: loopbackAddress },
  ...{ port: 0, hostNames: ["localhost"] },
};

/** Uses free ports unless the configuration sets others. */
export async function createSwitchedParts(given: SwitchedConfig = {}): Promise<SwitchedParts> {
  const directory = given.directory ?? (await makeDirectory());
  const config = {
    dataDirectory: directory,
    api: { ...defaultApiConfig, port: 0, lan: lanHere, ...given.api },
    gateway: { ...toDefaultGatewayConfig(programFiles.botsFile), port: 0, ...given.gateway },
  };
  const warnings: string[] = [];
  const effects: SwitchedParts["effects"] = {
    now: () => new Date(),
    log: (level, message, facts = {}) => {
      if (level !== "info")
        warnings.push([`${level}: ${message}`, ...Object.values(facts).map(String)].join(" "));
    },
    fetch: () => Promise.reject(new Error("No network here.")),
  };
  const control = createControlStores({ ...config, service: defaultServiceConfig }, effects);
  const api = createSharedApi(config, effects, control);
  onTestFinished(() => api.close());
  return { config, settings: await openSettings(directory), api, control, effects, warnings };
}

/** Occupies a port until the test ends or releases it. */
export async function occupyPort(): Promise<{ readonly port: number; readonly free: () => Promise<void> }> {
  const server = createServer().listen(0, loopbackAddress);
  await once(server, "listening");
  const free = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    await once(server, "close");
  };
  onTestFinished(free);
  return { port: (server.address() as AddressInfo).port, free };
}
