// Briefings, and the gateway in front of them, as the viewer shows them.
import * as z from "zod";
import { ListenerState } from "./packs.ts";
import { EventId, Instant, Sequence } from "./primitives.ts";

export const Briefing = z.object({
  eventId: EventId,
  label: z.string(),
  publishedAt: Instant,
  revisionPages: z.int().min(0),
  /** Folder of its pages on the host's machine. */
  folder: z.string(),
  /** Address of its pages; null while nothing serves it. */
  address: z.string().nullable(),
  /** Number of later revisions; 0 if it is up to date. */
  behind: z.int().min(0),
});
export type Briefing = z.infer<typeof Briefing>;

export const BriefingList = z.object({ briefings: z.array(Briefing) });
export type BriefingList = z.infer<typeof BriefingList>;

/** Defaults: the newest twelve revisions, and the URL of the gateway's briefings zone, if any. */
export const PublishBriefingInput = z.strictObject({
  eventId: EventId,
  sequences: z.array(Sequence).min(1).max(500).exactOptional(),
  baseUrl: z.url({ protocol: /^https?$/ }).exactOptional(),
});
export type PublishBriefingInput = z.infer<typeof PublishBriefingInput>;

export const GatewayZone = z.object({
  id: z.string(),
  hosts: z.array(z.string()),
  publicOrigin: z.string(),
  plan: z.string(),
  servesBriefings: z.boolean(),
  feature: z.object({
    value: z.enum(["on", "off"]),
    /** False if the plan does not include the feature. */
    editable: z.boolean(),
    modifiedOn: Instant.nullable(),
  }),
  /** Number of enabled configuration rules. */
  rules: z.int().min(0),
});
export type GatewayZone = z.infer<typeof GatewayZone>;

/** The directory of known crawlers. */
export const CrawlerDirectory = z.object({
  updatedAt: Instant.nullable(),
  crawlers: z.int().min(0),
  isStale: z.boolean(),
  problem: z.string().nullable(),
});
export type CrawlerDirectory = z.infer<typeof CrawlerDirectory>;

export const GatewayState = z.object({
  listener: ListenerState,
  /** True if the configuration file decides, not the switch. */
  isConfigured: z.boolean(),
  zones: z.array(GatewayZone),
  directory: CrawlerDirectory.nullable(),
});
export type GatewayState = z.infer<typeof GatewayState>;

export const GatewayFeatureInput = z.strictObject({ zoneId: z.string().min(1).max(64), on: z.boolean() });
export type GatewayFeatureInput = z.infer<typeof GatewayFeatureInput>;

/** `hours` is the time before now. */
export const GatewayReportInput = z.strictObject({
  zoneId: z.string().min(1).max(64),
  hours: z
    .int()
    .min(1)
    .max(24 * 31),
});
export type GatewayReportInput = z.infer<typeof GatewayReportInput>;

export const GatewayReport = z.object({
  /** Number of all requests. */
  requests: z.int().min(0),
  redirects: z.int().min(0),
  /** Redirects, most frequent first, at most 100. */
  rows: z.array(
    z.object({
      /** Null for a crawler that is no longer in the directory. */
      crawler: z.string().nullable(),
      path: z.string(),
      target: z.string(),
      count: z.int().min(1),
      lastAt: Instant,
    }),
  ),
  /** Requests of verified training crawlers, by reason of their answer. */
  reasons: z.array(z.object({ reason: z.string(), count: z.int().min(1) })),
});
export type GatewayReport = z.infer<typeof GatewayReport>;

export const ExplainInput = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(4_096),
  userAgent: z.string().max(1_024),
  address: z.union([z.ipv4(), z.ipv6()]),
  referer: z.string().max(4_096).exactOptional(),
});
export type ExplainInput = z.infer<typeof ExplainInput>;

export const Explanation = z.object({
  zoneId: z.string(),
  reason: z.string(),
  status: z.int(),
  target: z.string().nullable(),
  steps: z.array(z.object({ name: z.string(), outcome: z.enum(["passed", "decided"]), text: z.string() })),
});
export type Explanation = z.infer<typeof Explanation>;
