// The host's configuration, parsed once: defaults and the configuration file.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import * as z from "zod";
import { AppError, messageOf } from "../shared/app-error.ts";

export const defaultStormPort = 47_800;
export const loopbackAddress = "127.0.0.1";

export interface HostConfig {
  readonly dataDirectory: string;
  readonly storm: {
    /** 0 takes a free port. */
    readonly port: number;
    readonly address: string;
    /** Names under which other machines reach the service; empty on loopback, required beyond it. */
    readonly hostNames: readonly string[];
    /** When the port is taken: take a free one (the app) or fail (the command line). */
    readonly whenTaken: "fail" | "take-free-port";
  };
  /** Publish the demonstration event when the data directory holds no event. */
  readonly demo: boolean;
  /** Base URL of a Nominatim-compatible place search; undefined means the embedded gazetteer. */
  readonly placesUpstream: string | undefined;
  /** The prepared gazetteer, made by the build; built in memory where it is absent. */
  readonly gazetteerFile: string;
  /** The built viewer's folder. */
  readonly viewerDirectory: string;
  /** The render worker's module, which has another name once bundled. */
  readonly renderWorkerUrl: URL;
  /** The demonstration generator's worker module, likewise. */
  readonly generatorWorkerUrl: URL;
}

/** The configuration file. Unknown keys are refused by name. */
export const ConfigFile = z.strictObject({
  places: z.strictObject({ upstream: z.url({ protocol: /^https?$/ }) }).exactOptional(),
});
export type ConfigFile = z.infer<typeof ConfigFile>;

/** Reads and checks a configuration file. Throws `invalid-input` naming the file's base name and the key at fault. */
export function loadConfigFile(path: string): ConfigFile {
  const name = basename(path);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new AppError("invalid-input", `The configuration file ${name} cannot be read.`, { cause: error });
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new AppError("invalid-input", `${name} is not JSON: ${messageOf(error)}`, { cause: error });
  }
  const result = ConfigFile.safeParse(json);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const where = issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  throw new AppError("invalid-input", `${name}${where}: ${issue.message}`);
}
