// A host in the caller's own process, with the real parts, on a free port, that keeps silent.
import { join } from "node:path";
import { defaultApiConfig, loopbackAddress, type ApiConfig } from "../../electron/config.ts";
import { createSystemEffects, type Effects } from "../../electron/effects.ts";
import { gazetteerFile, generatorWorkerUrl, renderWorkerUrl } from "../../electron/host.ts";
import { start, type Host } from "../../electron/start.ts";

export interface LocalHost extends Pick<Host, "bindings" | "dispatch"> {
  readonly origin: string;
  /** The API listener's origin; null while it is off. */
  readonly api: string | null;
  close(): Promise<void>;
}

export interface LocalHostOptions {
  /** Where it differs from what holds without a configuration file. */
  readonly api?: Partial<ApiConfig>;
  readonly now?: Effects["now"];
}

export async function startLocalHost(
  data: string,
  { api, now = () => new Date() }: LocalHostOptions = {},
): Promise<LocalHost> {
  const host = await start(
    {
      dataDirectory: data,
      storm: { port: 0, address: loopbackAddress, hostNames: [], whenTaken: "fail" },
      demo: false,
      api: { ...defaultApiConfig, ...api },
      placesUpstream: undefined,
      gazetteerFile,
      viewerDirectory: join(data, "no-viewer"),
      renderWorkerUrl,
      generatorWorkerUrl,
    },
    { ...createSystemEffects(), now, log: () => undefined },
  );
  const { dispatch, addresses } = host;
  return {
    origin: addresses.storm,
    api: addresses.api,
    bindings: () => host.bindings(),
    dispatch,
    close: () => host.close(),
  };
}
