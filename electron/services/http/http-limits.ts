// Limits that every listener has. Each service's own limits are in its own file.

export const connectionLimits = {
  /** Connections of one listener, without WebSocket streams. */
  total: 2_048,
  /** Connections of one address. An IPv6 /64 network counts as one address. */
  perAddress: 256,
  /** Connections of an address that many visitors share: this machine's own, or a trusted proxy's. */
  perProxy: 1_024,
  /** Requests of one connection without a complete answer. Browsers send one at a time. */
  unanswered: 24,
} as const;
