// The host in a process of its own, to be killed: `node station-child.ts '{"data":…,"port":…}'`. It is what `serve` starts,
// without the look whether the viewer is built, with a feed on a fast clock. Prints its address once it answers.
import { createSystemEffects } from "../../electron/platform/effects.ts";
import { programFiles } from "../../electron/host/config/program-files.ts";
import { toDefaultConfig } from "../../electron/host/config/host-config.ts";
import { start } from "../../electron/start.ts";
import { feedNowMs, type FastClock } from "./feed-folder.ts";

export interface StationRequest {
  readonly data: string;
  /** 0 takes a free one. */
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
