// A host in the caller's own process, with the real parts, on a free port, that keeps silent.
import { join } from "node:path";
import { defaultApiConfig, loopbackAddress } from "../../electron/config.ts";
import { createSystemEffects } from "../../electron/effects.ts";
import { gazetteerFile, generatorWorkerUrl, renderWorkerUrl } from "../../electron/host.ts";
import { start } from "../../electron/start.ts";

export interface LocalHost {
  readonly origin: string;
  close(): Promise<void>;
}

export async function startLocalHost(data: string): Promise<LocalHost> {
  const host = await start(
    {
      dataDirectory: data,
      storm: { port: 0, address: loopbackAddress, hostNames: [], whenTaken: "fail" },
      demo: false,
      api: defaultApiConfig,
      placesUpstream: undefined,
      gazetteerFile,
      viewerDirectory: join(data, "no-viewer"),
      renderWorkerUrl,
      generatorWorkerUrl,
    },
    { ...createSystemEffects(), log: () => undefined },
  );
  return { origin: host.addresses.storm, close: () => host.close() };
}
