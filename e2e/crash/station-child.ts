// The host in its own process, to be killed: `node station-child.ts '{"data":…,"port":…}'`. It runs what `serve` runs,
// with a feed on a fast clock and without the check that the viewer is built. Prints its address once it responds.
import { createSystemEffects } from "../../electron/platform/effects.ts";
import { programFiles } from "../../electron/host/config/program-files.ts";
import { toDefaultConfig } from "../../electron/host/config/host-config.ts";
import { start } from "../../electron/start.ts";
import { feedNowMs, type FastClock } from "./feed-folder.ts";

export interface StationRequest {
  readonly data: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly feed: {
    readonly directory: string;
    readonly eventId: string;
    readonly clock: FastClock;
    readonly keepMs: number;
  };
}

const { data, port, feed } = JSON.parse(process.argv[2]!) as StationRequest;
const config = toDefaultConfig(data, programFiles);
const host = await start(
  {
    ...config,
    storm: { ...config.storm, port },
    feed: {
      source: { kind: "folder", directory: feed.directory },
      eventId: feed.eventId,
      timing: { pollMs: 200, pairWaitMs: 20_000, backoffMaxMs: 1000, keepMs: feed.keepMs },
    },
  },
  { ...createSystemEffects(), now: () => new Date(feedNowMs(feed.clock)) },
);
process.stdout.write(`${host.addresses.storm}\n`);
