// Limits and timeouts of the storm service.
import type { HostActionName } from "../../../shared/contract/action-names.ts";
import { stepLimits } from "../../../shared/views/briefing-steps.ts";

export interface HubLimits {
  readonly maxSockets: number;
  /** A client's longer message closes its socket with code 1009. */
  readonly maxMessageBytes: number;
  /** Data that may wait for a socket that does not read. */
  readonly maxBufferedBytes: number;
  /** Ping interval; a socket that does not answer before the next one is dead. */
  readonly heartbeatMs: number;
  /** Time that peers have to close when the hub closes. */
  readonly closeGraceMs: number;
}

export const hubLimits: HubLimits = {
  maxSockets: 10_000,
  maxMessageBytes: 1_024,
  maxBufferedBytes: 1024 * 1024,
  heartbeatMs: 30_000,
  closeGraceMs: 500,
};

/** Notices that one catalog read returns at most: far more than any feed publishes between two reads. */
export const maxNotices = 1_000;

/** Passed to Node's HTTP server. */
export const requestTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
} as const;

/** Largest input of an action; only the steps of a briefing come near it. */
export function maxActionBytes(name: HostActionName): number {
  return name === "briefings.saveSteps" ? stepLimits.documentBytes + 1_024 : 16_384;
}

/** Time that a list's `generatedAt` may stay the same while nothing changes. */
export const listRefreshMs = 1_000;

/** Frames known to be shown: more than the newest part of any event's history has. */
export const maxShownFrames = 10_000;

/** Reads of the catalog that are held for the time when it cannot be reached. */
export const heldReadLimits = {
  /** Records in them, the most recently used. */
  items: 20_000,
  /** Time that a catalog has to answer which was away a moment ago. */
  waitMs: 250,
} as const;

export const maxPlaceResults = 10;

/** Limits of a Nominatim upstream. */
export const upstreamLimits = {
  timeoutMs: 5_000,
  answerBytes: 1024 * 1024,
  /** Answers that are cached, the newest ones. */
  cachedAnswers: 200,
  cachedMs: 10 * 60_000,
} as const;
