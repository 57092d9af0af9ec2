// Metadata of custom hostnames, which rules can read. A PATCH replaces `custom_metadata`; `{}` removes it.
import * as z from "zod";
import { controlLimits } from "../gateway-limits.ts";
import type { HostnameMetadata, ZoneSettings } from "../settings/zone-settings.ts";
import type { CustomHostname, Zone } from "../zone.ts";
import { invalidInput, notFound, notIncluded, parseFields, type ZoneRouteDraft } from "./zone-route.ts";

const path = "/custom_hostnames/:hostname";

const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Not z.record, which drops a key named `__proto__`. */
const PatchBody = z.object({
  custom_metadata: z.custom<Readonly<Record<string, unknown>>>(isObject, "must be an object"),
});

export function createHostnameDrafts(settings: ZoneSettings): readonly ZoneRouteDraft[] {
  const toWire = (zone: Zone, { id, hostname }: CustomHostname) => ({
    ...{ id, hostname, custom_metadata: settings.metadata(zone.id, id) ?? {} },
  });
  return [
    {
      method: "GET",
      path,
      async handle({ zone, params }) {
        const found = getHostname(zone, params.hostname);
        await settings.refresh();
        return { result: toWire(zone, found) };
      },
    },
    {
      method: "PATCH",
      path,
      async handle({ zone, params, body, actor }) {
        const found = getHostname(zone, params.hostname);
        if (!zone.customMetadata) {
          throw notIncluded(`The subscription of this zone (plan ${zone.plan}) has no custom metadata.`);
        }
        if (found.hostname.startsWith("*.")) {
          throw invalidInput("A wildcard hostname cannot have custom metadata.");
        }
        const metadata = parseMetadata(parseFields(PatchBody, body).custom_metadata);
        await settings.setMetadata(zone.id, found.id, metadata, actor);
        return { result: toWire(zone, found) };
      },
    },
  ];
}

/** @throws ApiRefusal 404 */
function getHostname(zone: Zone, id: string | undefined): CustomHostname {
  const found = zone.customHostnames.find((hostname) => hostname.id === id);
  if (found === undefined) throw notFound("This zone has no such custom hostname.");
  return found;
}

/** @throws ApiRefusal 400 */
function parseMetadata(value: Readonly<Record<string, unknown>>): HostnameMetadata {
  const entries = Object.entries(value).map(([key, inner]) => {
    if (typeof inner !== "string") {
      throw invalidInput(`The field custom_metadata.${key.slice(0, 100)} must be a text.`);
    }
    return [key, inner] as const;
  });
  const { metadataBytes } = controlLimits;
  if (Buffer.byteLength(JSON.stringify(value)) > metadataBytes) {
    throw invalidInput(`The field custom_metadata must be at most ${metadataBytes} bytes of JSON.`);
  }
  return Object.fromEntries(entries);
}
