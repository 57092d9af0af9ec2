// Limits that every listener has. Each service's own limits are in its own file.

export const connectionLimits = {
  /** Connections of one listener, without WebSocket streams. */
  total: 2_048,
  /** Connections of one address. An IPv6 /64 network counts as one address. */
  perAddress: 256,
  /** Connections of an address that many visitors share: this machine's own, or a trusted proxy's. */
  perProxy: 512,
  /** Connections that the kernel accepts ahead. Beyond it, a client tries again after a second. */
  backlog: 4_096,
  /** Requests of one connection without a complete answer. Browsers send one at a time. */
  unanswered: 24,
  /** Memory of an unanswered request; a larger one counts as several. */
  ordinaryRequestBytes: 8_192,
  /** WebSocket streams of one address, except of one that many visitors share. */
  streamsPerAddress: 1_024,
  /** Time that a connection with more still counts after it was closed: its next one would bring as many. */
  heldMs: 2_000,
  /** Time without a byte in either direction after which a connection is cut. */
  idleMs: 120_000,
} as const;
