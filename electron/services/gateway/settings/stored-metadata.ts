// The schema of stored metadata of a custom hostname.
import * as z from "zod";
import type { HostnameMetadata } from "./zone-settings.ts";

/** Not z.record, which drops a key named `__proto__`. */
export const StoredMetadata = z.custom<HostnameMetadata>(
  (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((inner) => typeof inner === "string"),
);
