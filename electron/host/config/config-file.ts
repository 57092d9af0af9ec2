// The configuration file: its schema, and the configuration of each part.
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import * as z from "zod";
import { AppError, messageOf } from "../../../shared/app-error.ts";
import { addressRange, port } from "./config-values.ts";
import { defaultApiConfig, type ApiConfig } from "./host-config.ts";
import { defaultFeedTiming, type FeedTiming } from "../../sources/feeds/feed-config.ts";
import { publicPresetAddresses, type PresetAddresses } from "../../sources/overlays/presets.ts";
import { GatewaySection } from "./gateway-config-file.ts";
import { findKeyFault, serviceKeys, type KeyFault } from "./service-config-file.ts";

const ArtifactsSection = z
  .array(
    z.strictObject({
      binding: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "Not an identifier"),
      namespace: z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$/, "Not a namespace name"),
    }),
  )
  .superRefine((entries, context) => {
    entries.forEach(({ binding }, index) => {
      if (entries.findIndex((other) => other.binding === binding) === index) return;
      context.addIssue({ code: "custom", path: [index, "binding"], message: `"${binding}" is repeated` });
    });
  });

const RepositoriesSection = z.strictObject({
  port: port.exactOptional(),
  git: z.string().min(1).exactOptional(),
  max_pack_bytes: z
    .int()
    .min(1024)
    .max(10 * 1024 ** 3)
    .exactOptional(),
  import_allow: z.array(addressRange).max(100).exactOptional(),
  import_ca: z.string().min(1).nullable().exactOptional(),
  lan: z
    .strictObject({
      on: z.boolean().exactOptional(),
      address: z.union([z.ipv4(), z.ipv6()]).exactOptional(),
      port: port.exactOptional(),
      host_names: z.array(z.hostname()).max(20).exactOptional(),
    })
    .exactOptional(),
});

/** Base address of a service, without query. */
const baseAddress = z.url({ protocol: /^https?$/ }).regex(/^[^?#]*$/, "It must not have a query");

/** The configuration file. Unknown keys are refused by name. */
export const ConfigFile = z.strictObject({
  compatibility_date: z.iso.date().exactOptional(),
  account_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .exactOptional(),
  artifacts: ArtifactsSection.exactOptional(),
  repositories: RepositoriesSection.exactOptional(),
  gateway: GatewaySection.exactOptional(),
  places: z.strictObject({ upstream: z.url({ protocol: /^https?$/ }) }).exactOptional(),
  overlays: z
    .strictObject({ nws: baseAddress.exactOptional(), iem: baseAddress.exactOptional() })
    .exactOptional(),
  feed: z
    .strictObject({
      poll_seconds: z.number().min(1).max(3600).exactOptional(),
      pair_wait_seconds: z.number().min(0).max(3600).exactOptional(),
      backoff_max_seconds: z.number().min(1).max(86_400).exactOptional(),
      keep_hours: z
        .number()
        .min(1)
        .max(24 * 366)
        .exactOptional(),
    })
    .exactOptional(),
  ...serviceKeys,
});

export type ConfigFile = z.infer<typeof ConfigFile>;

/** Returns the configuration of hosting. `folder` is the configuration file's; relative paths start there. */
export function toApiConfig(file: ConfigFile, folder: string): ApiConfig {
  const { repositories, artifacts } = file;
  const defaults = defaultApiConfig;
  const ca = repositories?.import_ca ?? undefined;
  return {
    isOn: repositories !== undefined || artifacts !== undefined,
    port: repositories?.port ?? defaults.port,
    accountId: file.account_id ?? defaults.accountId,
    compatibilityDate: file.compatibility_date ?? defaults.compatibilityDate,
    artifacts: artifacts ?? defaults.artifacts,
    git: repositories?.git ?? defaults.git,
    maxPackBytes: repositories?.max_pack_bytes ?? defaults.maxPackBytes,
    importAllow: repositories?.import_allow ?? defaults.importAllow,
    importCaFile: ca === undefined ? undefined : resolve(folder, ca),
    lan: {
      isOn: repositories?.lan?.on ?? defaults.lan.isOn,
      address: repositories?.lan?.address ?? defaults.lan.address,
      port: repositories?.lan?.port ?? defaults.lan.port,
      hostNames: repositories?.lan?.host_names ?? defaults.lan.hostNames,
    },
  };
}

/** Returns the services of the presets; slashes at the end of their addresses do not matter. */
export function toPresetAddresses(overlays: ConfigFile["overlays"]): PresetAddresses {
  if (!overlays) return publicPresetAddresses;
  const given = Object.entries(overlays).map(([name, address]) => [name, address.replace(/\/+$/, "")]);
  return { ...publicPresetAddresses, ...(Object.fromEntries(given) as Partial<PresetAddresses>) };
}

export function toFeedTiming(feed: ConfigFile["feed"] = {}): FeedTiming {
  const toMs = (value: number | undefined, unitMs: number, defaultMs: number): number =>
    value === undefined ? defaultMs : value * unitMs;
  const defaults = defaultFeedTiming;
  return {
    pollMs: toMs(feed.poll_seconds, 1000, defaults.pollMs),
    pairWaitMs: toMs(feed.pair_wait_seconds, 1000, defaults.pairWaitMs),
    backoffMaxMs: toMs(feed.backoff_max_seconds, 1000, defaults.backoffMaxMs),
    keepMs: toMs(feed.keep_hours, 3_600_000, defaults.keepMs),
  };
}

/**
 * Reads and validates a configuration file.
 * @throws AppError `invalid-input` with the file's base name and the invalid keys, a line each
 */
export function loadConfigFile(path: string, now: Date): ConfigFile {
  const name = basename(path);
  const result = ConfigFile.safeParse(readJson(path, name));
  if (!result.success) {
    const lines = result.error.issues.map((issue) => {
      const where = issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
      return `${name}${where}: ${issue.message}${issue.code === "unrecognized_keys" ? "; correct or remove it" : ""}`;
    });
    throw new AppError("invalid-input", lines.join("\n"));
  }
  const fault = findDateFault(result.data, now) ?? findKeyFault(result.data);
  if (fault !== undefined) throw new AppError("invalid-input", `${name} at ${fault.key}: ${fault.message}`);
  return result.data;
}

function readJson(path: string, name: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new AppError("invalid-input", `The configuration file ${name} cannot be read.`, { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError("invalid-input", `${name} is not JSON: ${messageOf(error)}`, { cause: error });
  }
}

/** Returns the fault of `compatibility_date`, which bindings require and which must not be in the future. */
function findDateFault({ compatibility_date: date, artifacts }: ConfigFile, now: Date): KeyFault | undefined {
  const key = "compatibility_date";
  if (date === undefined) return artifacts && { key, message: "It is required if there are artifacts" };
  return date > now.toISOString().slice(0, 10) ? { key, message: "It is in the future" } : undefined;
}
