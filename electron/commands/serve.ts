// `echotop serve`: runs the storm service with viewer and hub until it is interrupted.
import { dirname } from "node:path";
import { Command, Option } from "@commander-js/extra-typings";
import type { ConfigFile } from "../host/config/config-file.ts";
import { briefingsIn } from "../host/config/data-location.ts";
import { loopbackAddress, toDefaultConfig, type HostConfig } from "../host/config/host-config.ts";
import type { ServiceConfig } from "../host/config/service-config.ts";
import { programFiles } from "../host/config/program-files.ts";
import { defaultFeedEventId, type FeedSourceConfig } from "../sources/feeds/feed-config.ts";
import type { DefineCommand } from "./command.ts";
import { parseFeedSource } from "./feed-source-option.ts";
import { whenAborted } from "./interrupts.ts";
import { openAddress } from "./open-address.ts";
import { example, parseEventId, portOption, UsageError } from "./option-values.ts";
import { writeJsonLine } from "./output.ts";
import { configOption, storesOption, useFolder } from "./stores-option.ts";

interface ServeOptions {
  readonly data: string;
  readonly port: number;
  readonly host: string;
  readonly hostName: readonly string[];
  readonly config?: string | undefined;
  readonly feed?: FeedSourceConfig | undefined;
  readonly feedEvent?: string | undefined;
  readonly demo: boolean;
}

export const serve: DefineCommand = (submit) =>
  new Command("serve")
    .summary("run the storm service and the viewer")
    .description(
      "Runs the storm service and the viewer until interrupted. The first line of standard output gives the addresses and the data directory.",
    )
    .addOption(storesOption())
    .addOption(portOption("port of the storm service; 0 takes a free one"))
    .addOption(new Option("--host <address>", "address to listen on").default(loopbackAddress))
    .addOption(
      new Option("--host-name <name>", "name by which other machines reach it; may be repeated")
        .default<readonly string[]>([], "none")
        .argParser((name, names: readonly string[]) => [...names, name]),
    )
    .addOption(configOption())
    .addOption(
      new Option(
        "--feed <source>",
        "noaa, bucket:URL, folder:DIR, mirror:URL or off (default: off)",
      ).argParser((text) => (text === "off" ? undefined : parseFeedSource(text, "feed"))),
    )
    .addOption(
      new Option("--feed-event <id>", `event that the feed fills (default: ${defaultFeedEventId})`).argParser(
        parseEventId,
      ),
    )
    .option("--demo", "publish the demonstration event if the data directory has no event")
    .option("--no-open", "open no browser")
    .addHelpText("after", example("serve --feed noaa --no-open"))
    .action(({ open, demo = false, ...options }) => {
      // The configuration file may have another name for the service.
      if (options.config === undefined) checkHost(options.host, options.hostName, undefined);
      checkFeed(options);
      submit(async ({ effects, signal }) => {
        const { ensureBuilt } = await import("../build/ensure-built.ts");
        const { loadConfigFile } = await import("../host/config/config-file.ts");
        const { toServiceConfig } = await import("../host/config/service-config-file.ts");
        const file = options.config === undefined ? {} : loadConfigFile(options.config, effects.now());
        const service = toServiceConfig(file);
        return useFolder(options.data, service, async (data) => {
          const config = await toConfig({ ...options, data, demo }, { file, service });
          if (config.api.isOn && options.data === undefined && service.stores !== undefined)
            throw new UsageError("Hosting of a service needs --data: the folder of its repositories.");
          await ensureBuilt(["viewer", "places", "briefing-map"]);
          const { start } = await import("../start.ts");
          const admin = service.admin && (await import("../host/start/open-admin.ts"));
          const host = await start(config, effects, undefined, admin?.openAdmin);
          try {
            writeJsonLine({ listening: host.addresses, data: host.dataDirectory });
            if (open && host.addresses.storm !== null) openAddress(host.addresses.storm);
            await whenAborted(signal);
            await host.drain();
          } finally {
            await host.close();
          }
          return 0;
        });
      });
    });

function checkHost(address: string, hostNames: readonly string[], publicOrigin: string | undefined): void {
  const isLoopback = [loopbackAddress, "localhost", "::1"].includes(address);
  if (isLoopback || hostNames.length > 0 || publicOrigin !== undefined) return;
  throw new UsageError("--host beyond this machine needs the names it is reached by: --host-name NAME.");
}

function checkFeed({ feed, feedEvent }: Pick<ServeOptions, "feed" | "feedEvent">): void {
  if (feedEvent === undefined) return;
  if (feed === undefined) throw new UsageError("--feed-event needs --feed.");
  if (feed.kind === "mirror") {
    throw new UsageError("--feed-event cannot be used with a mirror, which keeps the remote's event ids.");
  }
}

async function toConfig(
  { data, port, host: address, hostName, config, feed: source, feedEvent, demo }: ServeOptions,
  { file, service }: { readonly file: ConfigFile; readonly service: ServiceConfig },
): Promise<HostConfig> {
  const { toApiConfig, toFeedTiming, toPresetAddresses } = await import("../host/config/config-file.ts");
  const { toGatewayConfig } = await import("../host/config/gateway-config-file.ts");
  const { limitPartsToRoles } = await import("../host/config/limit-to-roles.ts");
  checkHost(address, hostName, file.public_origin);
  if (source !== undefined && !service.roles.has("feed"))
    throw new UsageError('--feed needs the role "feed" in the configuration file.');
  const folder = config === undefined ? "." : dirname(config);
  const places = { folder, briefingsDirectory: briefingsIn(data), botsFile: programFiles.botsFile };
  return {
    ...toDefaultConfig(data, programFiles),
    storm: { port, address, hostNames: hostName, whenTaken: "fail" },
    demo,
    presetAddresses: toPresetAddresses(file.overlays),
    feed: source && { source, eventId: feedEvent ?? defaultFeedEventId, timing: toFeedTiming(file.feed) },
    ...limitPartsToRoles(
      { api: toApiConfig(file, folder), gateway: toGatewayConfig(file.gateway, places) },
      service.roles,
    ),
    placesUpstream: file.places?.upstream,
    service,
  };
}
