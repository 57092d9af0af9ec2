// The metadata of a release: `latest.yml`, `latest-mac.yml` or `latest-linux.yml`, as electron-builder writes them.
import * as z from "zod";
import { AppError } from "../../../shared/app-error.ts";

/** A plain file name: no folder, no other host, no ending that a file system ignores. */
const FileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 ._+-]{0,199}(?<![. ])$/);

const ReleaseFile = z.object({
  url: FileName,
  /** Base64. */
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
  size: z.int().min(1).exactOptional(),
});
export type ReleaseFile = z.infer<typeof ReleaseFile>;

/** Drops all other keys, of which some would let the metadata decide what is installed and how. */
const ReleaseMetadata = z.object({
  version: z.string().regex(/^(?:0|[1-9]\d{0,4})(?:\.(?:0|[1-9]\d{0,4})){2}$/),
  files: z.array(ReleaseFile).min(1).max(20),
});
export type ReleaseMetadata = z.infer<typeof ReleaseMetadata>;

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

/** Returns the name of the metadata of a platform. */
export function metadataNameOf({ platform, arch }: Machine): string {
  if (platform === "win32") return "latest.yml";
  if (platform === "darwin") return "latest-mac.yml";
  return `latest-linux${arch === "x64" ? "" : `-${arch}`}.yml`;
}

const endings: Readonly<Partial<Record<NodeJS.Platform, string>>> = { win32: ".exe", darwin: ".zip" };

/** Checks parsed YAML; keeps the files of this platform. @throws AppError `stored-data-invalid` */
export function parseReleaseMetadata(value: unknown, { platform }: Machine): ReleaseMetadata {
  const { data } = ReleaseMetadata.safeParse(value);
  if (data === undefined) {
    throw new AppError("stored-data-invalid", "The update server's description of the release is invalid.");
  }
  const ending = endings[platform] ?? ".AppImage";
  const files = data.files.filter(({ url }) => url.endsWith(ending));
  if (files.length === 0) {
    throw new AppError("stored-data-invalid", `Echotop ${data.version} has no installer for this computer.`);
  }
  return { version: data.version, files };
}

/** Compares the numbers; a running pre-release is older than its release. */
export function compareVersions(candidate: string, running: string): number {
  const numbersOf = (version: string): number[] =>
    version
      .replace(/[-+].*$/, "")
      .split(".")
      .map(Number);
  const own = numbersOf(running);
  const difference = numbersOf(candidate)
    .map((number, index) => number - own[index]!)
    .find((step) => step !== 0);
  return difference ?? (running.includes("-") ? 1 : 0);
}
