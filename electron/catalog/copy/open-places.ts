// Opens both sides of a copy, so that nothing is written when one of them cannot be used.
import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { systemCode } from "../../platform/disk/storage-error.ts";
import type { StoresLocation } from "../stores/located-stores.ts";
import type { CopySource, CopyTarget } from "./copied-places.ts";
import { openDirectorySource, openDirectoryTarget } from "./directory-place.ts";

export interface OpenedPlaces {
  readonly from: CopySource;
  readonly to: CopyTarget;
  readonly close: () => Promise<void>;
}

/** Opens the source first, so that a missing one leaves the target as it was. @throws AppError as the stores do */
export async function openPlaces(from: StoresLocation, to: StoresLocation): Promise<OpenedPlaces> {
  const source = await openSource(from);
  try {
    const target = await openTarget(to);
    const close = async (): Promise<void> => {
      await target.close();
      await source.close();
    };
    return { from: source, to: target, close };
  } catch (error) {
    await source.close();
    throw error;
  }
}

function openSource(location: StoresLocation): Promise<CopySource> {
  return location.kind === "directory" ? openDirectorySource(location.directory) : openTarget(location);
}

async function openTarget(location: StoresLocation): Promise<CopyTarget> {
  if (location.kind === "directory") return openDirectoryTarget(location.directory);
  const { openServicePlace } = await import("./service-place.ts");
  return openServicePlace(location);
}

/**
 * Returns in a sentence why two locations cannot be the sides of a copy; undefined if they can. Two services must not
 * share a place for objects either: each would take the other's objects for orphans.
 */
export function findOverlap(from: StoresLocation, to: StoresLocation): string | undefined {
  if (from.kind === "directory" && to.kind === "directory") {
    const [one, other] = [realPathOf(from.directory), realPathOf(to.directory)];
    if (one === other) return samePlace;
    return isInside(one, other) || isInside(other, one)
      ? "One directory is inside the other; choose another folder for the copy."
      : undefined;
  }
  if (from.kind !== "service" || to.kind !== "service") return undefined;
  if (from.catalogUrl === to.catalogUrl) return samePlace;
  return from.objects.url === to.objects.url && from.objects.endpoint === to.objects.endpoint
    ? "Both services keep their objects in one place; choose another `objects.url` for one of them."
    : undefined;
}

const samePlace = "FROM and TO are the same place; choose another one for the copy.";

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way.split(sep)[0] !== ".." && !isAbsolute(way);
}

function realPathOf(directory: string): string {
  try {
    return realpathSync(directory);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return resolve(directory);
  }
}
