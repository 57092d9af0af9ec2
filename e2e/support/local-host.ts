// A host in the caller's own process: the real parts on free ports, without log output.
import { join } from "node:path";
import {
  toDefaultConfig,
  type ApiConfig,
  type GatewayConfig,
} from "../../electron/host/config/host-config.ts";
import { createSystemEffects, type Effects } from "../../electron/platform/effects.ts";
import { programFiles } from "../../electron/host/config/program-files.ts";
import { start, type Host } from "../../electron/start.ts";

export interface LocalHost extends Pick<Host, "bindings" | "dispatch"> {
  readonly origin: string;
  /** The API listener's origin; null while it is off. */
  readonly api: string | null;
  readonly gateway: string | null;
  close(): Promise<void>;
}

export interface LocalHostOptions {
  /** Overrides of the default configuration. */
  readonly api?: Partial<ApiConfig>;
  readonly gateway?: Partial<GatewayConfig>;
  readonly now?: Effects["now"];
}

export async function startLocalHost(
  data: string,
  { api, gateway, now = () => new Date() }: LocalHostOptions = {},
): Promise<LocalHost> {
  const config = toDefaultConfig(data, { ...programFiles, viewerDirectory: join(data, "no-viewer") });
  const host = await start(
    {
      ...config,
      storm: { ...config.storm, port: 0 },
      api: { ...config.api, ...api },
      gateway: { ...config.gateway, port: 0, ...gateway },
    },
    { ...createSystemEffects(), now, log: () => undefined },
  );
  const { dispatch, addresses } = host;
  return {
    origin: addresses.storm!,
    api: addresses.api,
    gateway: addresses.gateway,
    bindings: () => host.bindings(),
    dispatch,
    close: () => host.close(),
  };
}
