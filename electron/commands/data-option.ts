// The `--data` option that every command takes.
import { resolve } from "node:path";
import { defaultDataDirectory } from "../host/config/data-location.ts";

/** The directory asked for, absolute, or the platform's application-data folder. */
export function resolveDataDirectory(option: string | undefined): string {
  return resolve(option ?? defaultDataDirectory(process.env, process.platform));
}
