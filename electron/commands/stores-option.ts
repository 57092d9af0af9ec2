// The options that name stores, `--data` and `--config`, and work on those stores. Where the configuration file has a
// catalog and objects, a command works on that service, and `--data` is only its scratch folder.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Option } from "@commander-js/extra-typings";
import type { StoresLocation } from "../catalog/stores/located-stores.ts";
import { defaultDataDirectory } from "../host/config/data-location.ts";
import { defaultServiceConfig, toStoresLocation, type ServiceConfig } from "../host/config/service-config.ts";
import type { Work, WorkContext } from "./command.ts";
import { UsageError } from "./option-values.ts";

export interface StoresOptions {
  readonly data?: string | undefined;
  readonly config?: string | undefined;
}

export interface StoresContext extends WorkContext {
  readonly location: StoresLocation;
  /** Data directory, or scratch folder of a service. */
  readonly folder: string;
}

/** `--data` of a command that has `--config` too. */
export function storesOption() {
  return new Option(
    "--data <dir>",
    "data directory; with a service, scratch folder (default: Echotop's folder in the system's application data, or a temporary one)",
  ).argParser((text) => resolve(text));
}

export function configOption() {
  return new Option("--config <file>", "configuration file, which may name a service (default: none)");
}

/** Returns work on the stores that the options name. */
export function onStores(options: StoresOptions, work: (context: StoresContext) => Promise<number>): Work {
  return async (context) => {
    const service = await loadServiceConfig(options.config, context.effects.now());
    return useFolder(options.data, service, (folder) =>
      work({ ...context, folder, location: toStoresLocation(service, folder) }),
    );
  };
}

/** Returns work on a data directory. @throws UsageError with `refusal` for a service */
export function onDirectory(
  options: StoresOptions,
  refusal: string,
  work: (context: StoresContext) => Promise<number>,
): Work {
  return onStores(options, (context) => {
    if (context.location.kind === "service") throw new UsageError(refusal);
    return work(context);
  });
}

/** Returns a folder for results. @throws UsageError if it were the temporary one of a service */
export function keptFolder({ data }: StoresOptions, { location, folder }: StoresContext): string {
  if (data !== undefined || location.kind === "directory") return folder;
  throw new UsageError("--out is required with a service, or --data for a folder that is kept.");
}

/** @throws AppError `invalid-input` with a line for each invalid key */
export async function loadServiceConfig(path: string | undefined, now: Date): Promise<ServiceConfig> {
  if (path === undefined) return defaultServiceConfig;
  const { loadConfigFile } = await import("../host/config/config-file.ts");
  const { toServiceConfig } = await import("../host/config/service-config-file.ts");
  return toServiceConfig(loadConfigFile(path, now));
}

/** Runs `use` with the data directory, or with the scratch folder of a service: removed afterwards unless given. */
export async function useFolder<Result>(
  given: string | undefined,
  { stores }: Pick<ServiceConfig, "stores">,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  if (given !== undefined) return use(given);
  if (stores === undefined) return use(defaultDataDirectory(process.env, process.platform));
  const folder = await mkdtemp(join(tmpdir(), "echotop-scratch-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
