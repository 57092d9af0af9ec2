// Limits of the API listener. A Git body may be gigabytes over a slow link, so Node's limit on a whole request is off
// and idle time counts instead. A REST body is small and has one limit for all of it.
import { connectionLimits } from "../http/http-limits.ts";

export interface ApiTimeouts {
  /** For the request head. */
  readonly headMs: number;
  /** For the whole body of a REST request. */
  readonly restBodyMs: number;
  /** Without a byte in either direction while the service waits for the client. */
  readonly idleMs: number;
  /** Interval at which Node looks for late heads. */
  readonly checkMs: number;
}

export const apiTimeouts: ApiTimeouts = {
  headMs: 10_000,
  restBodyMs: 30_000,
  idleMs: connectionLimits.idleMs,
  checkMs: 5000,
};

export const apiLimits = {
  restBodyBytes: 65_536,
  /** Read-ahead of a body: packs come in large pieces, and waiting between two costs more than the memory. */
  readAheadBytes: 256 * 1024,
  keepAliveMs: 65_000,
  /** Time that running requests have when their part is removed. */
  partGraceMs: 500,
} as const;
