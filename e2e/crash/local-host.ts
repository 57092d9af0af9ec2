// A host in the test's own process, with the real parts, on a free port.
import { join } from "node:path";
import { loopbackAddress } from "../../electron/config.ts";
import { createSystemEffects } from "../../electron/effects.ts";
import { gazetteerFile, generatorWorkerUrl, renderWorkerUrl } from "../../electron/host.ts";
import { start, type Host } from "../../electron/start.ts";

export interface LocalHost {
  readonly origin: string;
  /** What it has logged so far. */
  readonly log: readonly string[];
  close(): Promise<void>;
}

export async function startLocalHost(data: string): Promise<LocalHost> {
  const log: string[] = [];
  const host: Host = await start(
    {
      dataDirectory: data,
      storm: { port: 0, address: loopbackAddress, hostNames: [], whenTaken: "fail" },
      demo: false,
      placesUpstream: undefined,
      gazetteerFile,
      viewerDirectory: join(data, "no-viewer"),
      renderWorkerUrl,
      generatorWorkerUrl,
    },
    { ...createSystemEffects(), log: (_level, message) => log.push(message) },
  );
  return { origin: host.addresses.storm, log, close: () => host.close() };
}
