// The app without a window, in its own process: `node desk-child.ts '{"data":…,"port":…}'`. A page with the token
// may act. Prints `{"origin","api"}` once it answers.
import { createInterruptSignal, whenAborted } from "../../electron/commands/interrupts.ts";
import { toDefaultConfig, type ApiConfig } from "../../electron/host/config/host-config.ts";
import { createSystemEffects } from "../../electron/platform/effects.ts";
import { programFiles } from "../../electron/host/config/program-files.ts";
import { start } from "../../electron/start.ts";

export interface DeskRequest {
  readonly data: string;
  /** Port of the storm listener; 0 takes a free one. */
  readonly port: number;
  readonly actionToken: string;
  readonly api: Partial<ApiConfig>;
}

const { data, port, actionToken, api } = JSON.parse(process.argv[2]!) as DeskRequest;
const signal = createInterruptSignal();
const config = toDefaultConfig(data, programFiles);
const host = await start(
  { ...config, actionToken, storm: { ...config.storm, port }, api: { ...config.api, ...api } },
  createSystemEffects(),
);
const { storm, api: hosting } = host.addresses;
process.stdout.write(`${JSON.stringify({ origin: storm, api: hosting })}\n`);
await whenAborted(signal);
await host.close();
