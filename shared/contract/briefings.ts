// Briefings and the gateway in front of them as the viewer deals with them.
import * as z from "zod";
import { EventId, Instant, Sequence } from "./primitives.ts";

export const Briefing = z.object({
  eventId: EventId,
  label: z.string(),
  publishedAt: Instant,
  revisionPages: z.int().min(0),
  /** The folder of its pages on the host's machine. */
  folder: z.string(),
  /** Where it can be opened now; null while nothing serves it. */
  address: z.string().nullable(),
  /** Revisions that were published after it, 0 while it is up to date. */
  behind: z.int().min(0),
});
export type Briefing = z.infer<typeof Briefing>;

export const BriefingList = z.object({ briefings: z.array(Briefing) });
export type BriefingList = z.infer<typeof BriefingList>;

/** Without `sequences`, the newest twelve revisions; without `baseUrl`, that of the gateway's briefings zone, if there is one. */
export const PublishBriefingInput = z.strictObject({
  eventId: EventId,
  sequences: z.array(Sequence).min(1).max(500).exactOptional(),
  baseUrl: z.url({ protocol: /^https?$/ }).exactOptional(),
});
export type PublishBriefingInput = z.infer<typeof PublishBriefingInput>;

export const GatewayListener = z.discriminatedUnion("status", [
  z.object({ status: z.literal("off") }),
  /** `address` is an origin: `http://127.0.0.1:47802`. */
  z.object({ status: z.literal("on"), address: z.string() }),
  z.object({ status: z.literal("failed"), problem: z.string() }),
]);
export type GatewayListener = z.infer<typeof GatewayListener>;

export const GatewayZone = z.object({
  id: z.string(),
  hosts: z.array(z.string()),
  publicOrigin: z.string(),
  plan: z.string(),
  servesBriefings: z.boolean(),
  feature: z.object({
    value: z.enum(["on", "off"]),
    /** False on a plan that the feature does not belong to. */
    editable: z.boolean(),
    modifiedOn: Instant.nullable(),
  }),
  /** Configuration rules that are enabled. */
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
  listener: GatewayListener,
  /** The configuration file decides; otherwise the switch does. */
  isConfigured: z.boolean(),
  zones: z.array(GatewayZone),
  directory: CrawlerDirectory.nullable(),
});
export type GatewayState = z.infer<typeof GatewayState>;

export const GatewayFeatureInput = z.strictObject({ zoneId: z.string().min(1).max(64), on: z.boolean() });
export type GatewayFeatureInput = z.infer<typeof GatewayFeatureInput>;

/** `hours` back from now. */
export const GatewayReportInput = z.strictObject({
  zoneId: z.string().min(1).max(64),
  hours: z
    .int()
    .min(1)
    .max(24 * 31),
});
export type GatewayReportInput = z.infer<typeof GatewayReportInput>;

export const GatewayReport = z.object({
  /** Of all requests in the time. */
  requests: z.int().min(0),
  redirects: z.int().min(0),
  /** The most frequent ones, at most 100. */
  rows: z.array(
    z.object({
      /** Null for requests of crawlers that are no longer in the directory. */
      crawler: z.string().nullable(),
      path: z.string(),
      target: z.string(),
      count: z.int().min(1),
      lastAt: Instant,
    }),
  ),
  /** What became of the requests of verified training crawlers, by reason. */
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
