// A zone at work: where its pages come from, and its redirects, compiled.
import type { Zone } from "../zone.ts";
import { createFolderOrigin } from "./folder-origin.ts";
import { createHttpOrigin, type OriginPatience } from "./http-origin.ts";
import type { Origin } from "./origin.ts";
import type { ZoneRedirects } from "./delivery-plan.ts";

export interface ServedZone {
  readonly origin: Origin;
  /** Undefined where there are none. */
  readonly redirects: ZoneRedirects | undefined;
}

export type CreateRedirects = (zone: Zone) => ZoneRedirects;

/** Throws what `createRedirects` does, for a redirect that does not parse. */
export function serveZone(
  zone: Zone,
  createRedirects: CreateRedirects,
  patience: OriginPatience,
): ServedZone {
  const hasRedirects = zone.singleRedirects.length + zone.bulkRedirects.length > 0;
  const redirects = hasRedirects ? createRedirects(zone) : undefined;
  const origin =
    zone.origin.kind === "http"
      ? createHttpOrigin(zone.origin.url, patience)
      : createFolderOrigin(zone.origin.directory);
  return { origin, redirects };
}
