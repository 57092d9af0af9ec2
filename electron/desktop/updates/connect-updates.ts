// Connects to the update server with what the build and the person say about it, or says why there are no updates.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { AppError } from "../../../shared/app-error.ts";
import { openPackageUpdater, type PackageUpdater, type PackageUpdaterOptions } from "./package-updater.ts";
import { createReleaseRequests, type RequestOptions } from "./release-requests.ts";
import { parseUpdateAddress } from "./update-address.ts";

/** The key and names that a build trusts. The package has them: neither settings nor a page can change them. */
export const UpdateTrust = z.object({
  /** Key of the releases: Ed25519, SPKI, base64. */
  publicKey: z.base64(),
  /** Names on the certificates of Windows installers. */
  publisherNames: z.array(z.string().min(1)).default([]),
  /** Folder of releases, unless the person sets another. */
  address: z.string().exactOptional(),
});
export type UpdateTrust = z.infer<typeof UpdateTrust>;

/** Returns undefined for a build that was made without a key. */
export function loadUpdateTrust(path: string): UpdateTrust | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
  return UpdateTrust.parse(JSON.parse(text));
}

export interface UpdatePlace
  extends Pick<PackageUpdaterOptions, "machine" | "version" | "report">, RequestOptions {
  readonly isPackaged: boolean;
  readonly trust: UpdateTrust | undefined;
  readonly dataDirectory: string;
}

/** `address` is the person's. @throws AppError with the reason why there are no updates */
export async function connectUpdates(
  place: UpdatePlace,
  address: string | undefined,
): Promise<PackageUpdater> {
  const { trust } = place;
  if (!place.isPackaged) {
    throw new AppError("conflict", "Echotop runs from its sources; it is updated with them.");
  }
  if (trust === undefined) {
    throw new AppError("conflict", "This build of Echotop has no release key, so it cannot check updates.");
  }
  const given = address ?? trust.address;
  if (given === undefined) {
    throw new AppError(
      "conflict",
      "No update address is set; write it into desktop.json in the data folder.",
    );
  }
  return openPackageUpdater({
    ...place,
    address: parseUpdateAddress(given),
    publicKey: trust.publicKey,
    publisherNames: trust.publisherNames,
    folder: join(place.dataDirectory, "updates"),
    requests: createReleaseRequests(place),
  });
}
