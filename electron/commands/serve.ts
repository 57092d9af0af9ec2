// `echotop serve`: the storm service with viewer and hub, until it is interrupted.
import { defaultStormPort, loadConfigFile, loopbackAddress, type HostConfig } from "../config.ts";
import { gazetteerFile, generatorWorkerUrl, renderWorkerUrl, viewerDirectory } from "../host.ts";
import { ensureBuilt } from "../launch/build.ts";
import { start } from "../start.ts";
import { parseChoice, parseCommand, parsePort, refusePositionals, UsageError } from "./arguments.ts";
import type { Command } from "./command.ts";
import { resolveDataDirectory } from "./data-directory.ts";
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
  "no-open": { type: "boolean" },
  demo: { type: "boolean" },
} as const;

type Values = ReturnType<typeof parseCommand<typeof options>>["values"];

function toConfig(values: Values): HostConfig {
  parseChoice(values.feed ?? "off", "feed", ["off"]);
  const address = values.host ?? loopbackAddress;
  const hostNames = values["host-name"] ?? [];
  const beyondLoopback = address !== loopbackAddress && address !== "localhost" && address !== "::1";
  if (beyondLoopback && hostNames.length === 0) {
    throw new UsageError("--host beyond this machine needs the names it is reached by: --host-name NAME.");
  }
  const file = values.config === undefined ? {} : loadConfigFile(values.config);
  return {
    dataDirectory: resolveDataDirectory(values.data),
    storm: {
      port: values.port === undefined ? defaultStormPort : parsePort(values.port),
      address,
      hostNames,
      whenTaken: "fail",
    },
    demo: values.demo ?? false,
    placesUpstream: file.places?.upstream,
    gazetteerFile,
    viewerDirectory,
    renderWorkerUrl,
    generatorWorkerUrl,
  };
}

export const serve: Command = async (args, { effects, signal }) => {
  const { values, positionals } = parseCommand(args, options);
  refusePositionals(positionals);
  const config = toConfig(values);
  await ensureBuilt(["viewer", "places"]);
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
