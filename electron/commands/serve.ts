// `echotop serve`: the storm service with viewer and hub, until it is interrupted.
import { dirname } from "node:path";
import {
  defaultStormPort,
  loopbackAddress,
  toDefaultConfig,
  type HostConfig,
} from "../host/config/host-config.ts";
import { defaultFeedEventId, type FeedConfig } from "../sources/feeds/feed-config.ts";
import { loadConfigFile, toApiConfig, toFeedTiming, type ConfigFile } from "../host/config/config-file.ts";
import { briefingsIn } from "../host/config/data-location.ts";
import { toGatewayConfig } from "../host/config/gateway-config-file.ts";
import { programFiles } from "../host/config/program-files.ts";
import { ensureBuilt } from "../build/build.ts";
import { start } from "../start.ts";
import { parseCommand, parseEventId, parsePort, refusePositionals, UsageError } from "./arguments.ts";
import type { Command } from "./command.ts";
import { resolveDataDirectory } from "./data-option.ts";
import { parseFeedSource } from "./feed-arguments.ts";
import { whenAborted } from "./interrupts.ts";
import { openAddress } from "./open-address.ts";
import { writeJsonLine } from "./output.ts";

const options = {
  data: { type: "string" },
  port: { type: "string" },
  host: { type: "string" },
  "host-name": { type: "string", multiple: true },
  config: { type: "string" },
  feed: { type: "string" },
  "feed-event": { type: "string" },
  "no-open": { type: "boolean" },
  demo: { type: "boolean" },
} as const;

type Values = ReturnType<typeof parseCommand<typeof options>>["values"];

function toFeed({ feed = "off", "feed-event": event }: Values, file: ConfigFile): FeedConfig | undefined {
  if (feed === "off") {
    if (event !== undefined) throw new UsageError("--feed-event is said without --feed.");
    return undefined;
  }
  const source = parseFeedSource(feed, "feed");
  if (source.kind === "mirror" && event !== undefined) {
    throw new UsageError("A mirror keeps the other service's event ids; --feed-event does not go with it.");
  }
  const eventId = event === undefined ? defaultFeedEventId : parseEventId(event);
  return { source, eventId, timing: toFeedTiming(file.feed) };
}

function toConfig(values: Values, now: Date): HostConfig {
  const address = values.host ?? loopbackAddress;
  const hostNames = values["host-name"] ?? [];
  const beyondLoopback = address !== loopbackAddress && address !== "localhost" && address !== "::1";
  if (beyondLoopback && hostNames.length === 0) {
    throw new UsageError("--host beyond this machine needs the names it is reached by: --host-name NAME.");
  }
  const file = values.config === undefined ? {} : loadConfigFile(values.config, now);
  const folder = values.config === undefined ? "." : dirname(values.config);
  const dataDirectory = resolveDataDirectory(values.data);
  const briefingsDirectory = briefingsIn(dataDirectory);
  const { botsFile } = programFiles;
  return {
    ...toDefaultConfig(dataDirectory, programFiles),
    storm: {
      port: values.port === undefined ? defaultStormPort : parsePort(values.port),
      address,
      hostNames,
      whenTaken: "fail",
    },
    demo: values.demo ?? false,
    feed: toFeed(values, file),
    api: toApiConfig(file, folder),
    gateway: toGatewayConfig(file.gateway, { folder, briefingsDirectory, botsFile }),
    placesUpstream: file.places?.upstream,
  };
}

export const serve: Command = async (args, { effects, signal }) => {
  const { values, positionals } = parseCommand(args, options);
  refusePositionals(positionals);
  const config = toConfig(values, effects.now());
  await ensureBuilt(["viewer", "places", "briefing-map"]);
  const host = await start(config, effects);
  try {
    writeJsonLine({ listening: host.addresses, data: host.dataDirectory });
    if (values["no-open"] !== true) openAddress(host.addresses.storm);
    await whenAborted(signal);
  } finally {
    await host.close();
  }
  return 0;
};
