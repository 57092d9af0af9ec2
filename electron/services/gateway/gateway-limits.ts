// Defaults, limits and budgets of the gateway, one object per folder. They bound what a visitor, a crawler, an origin
// or a caller of the control plane can make large, slow or frequent.
import { connectionLimits } from "../http/http-limits.ts";

/** Timeouts of the proxy, in milliseconds. */
export const proxyTimeouts = {
  /** Head of a request. */
  requestHeadMs: 10_000,
  /** Next request on a kept-alive connection. */
  keepAliveMs: 75_000,
  /** Connection without a byte in either direction. */
  idleMs: connectionLimits.idleMs,
  /** Connection to an origin. */
  connectMs: 5_000,
  /** Response head of an origin, after the last byte of the request. */
  originHeadMs: 30_000,
  /** Pause between two chunks of an origin's body. */
  originChunkMs: 60_000,
  /** Head of a page that is held back for a verified crawler. */
  inspectMs: 20_000,
};
export type ProxyTimeouts = Readonly<typeof proxyTimeouts>;

export const proxyLimits = {
  requestHeadBytes: 32 * 1024,
  /** Each takes far more memory than its bytes. */
  requestHeaderLines: 256,
  /** Requests in progress of one address. Half of `originConnections`, so that others are still served. */
  perAddress: 256,
  /** Requests in progress of a trusted proxy that does not say for whom it asks. */
  perProxy: 512,
  /** Connections to one origin; further requests wait for one. */
  originConnections: 512,
  originHeadBytes: 64 * 1024,
  /** Attempts of one request whose kept-alive connection turns out to be dead. */
  originAttempts: 3,
  /** Compressed or plain bytes of a body that wait for the decision: far more than the longest head compresses to. */
  heldBodyBytes: 1024 * 1024,
  /** A shorter rest of an unwanted body is read to its end, to keep the connection. */
  drainedBodyBytes: 64 * 1024,
  /** Spellings of host names that are cached; a visitor can send any number of them. */
  cachedHosts: 1_000,
  /** Characters of a canonical link that an explanation shows. */
  shownLinkChars: 300,
  /** `Cache-Control` of a redirect. It is for one visitor: a shared cache would send it to others. */
  redirectCaching: "private, no-store",
} as const;

export const canonicalLimits = {
  /** A canonical link counts if its tag ends within this many bytes of the uncompressed body. */
  headBytes: 262_144,
  /** Bytes that are searched for a declaration of the encoding (HTML standard, 13.2.3.2). */
  prescanBytes: 1_024,
  /** An origin that flushes after each byte sends many bytes for one; no head needs more. */
  compressedBytes: 4 * 262_144,
  /** gzip members or zstd frames in one body. */
  compressedStreams: 512,
  /** A gzip header may contain names and comments. */
  gzipHeaderBytes: 16_384,
  /** RFC 9659: the window of a web page is at most 8 MiB. */
  zstdWindowLog: 23,
  /**
   * Elements of the templates in a head. Unclosed formatting elements are repeated in every paragraph, so 256 KiB could
   * ask for many millions.
   */
  templateElements: 10_000,
  /** Bytes that servers and proxies commonly accept in one header field. */
  locationBytes: 8_000,
} as const;

export const crawlerLimits = {
  /** Real lists have some thousands of ranges of about twenty characters. */
  directoryBytes: 8 * 1024 * 1024,
  /** An older list of crawlers is still used, and reported as stale. */
  staleAfterMs: 7 * 86_400_000,
  /** All that a visitor waits for the DNS. */
  dnsMs: 500,
  dnsLookups: 64,
  /** Host names of one address that are checked. */
  dnsNames: 4,
  dnsCached: 10_000,
  /** Lifetime of a cached DNS answer: a confirmed name, no name, no answer. */
  dnsCachedMs: { yes: 3_600_000, no: 600_000, unknown: 15_000 },
  /** Characters of `Signature-Input` and of `Signature`. */
  signatureHeaderChars: 4_096,
  signatures: 8,
  /** Signatures of one request that are verified. */
  verifiedSignatures: 4,
  coveredComponents: 16,
  signatureParameters: 16,
  agentUrlChars: 512,
  nonceChars: 256,
  /** Nonces of signatures that are still valid, about 200 bytes each. */
  nonces: 20_000,
  clockSkewMs: 10_000,
  /** A signature that is valid for longer is refused: it could be replayed for as long. */
  signatureLifetimeMs: 3_600_000,
} as const;

export const ruleLimits = {
  expressionChars: 4_096,
  /** Nesting of parentheses, negations and calls. */
  depth: 32,
  /** `#` signs around a raw string. */
  rawStringHashes: 255,
  rules: 100,
  /** Characters of a rule's id or ref. */
  nameChars: 100,
  descriptionChars: 500,
} as const;

export const controlLimits = {
  /** Records or audit entries of one page. */
  pageLength: 1_000,
  defaultPageLength: 100,
  /** Custom metadata of a hostname, as JSON in UTF-8. */
  metadataBytes: 4_096,
  /** Audit entries that are stored for a zone. */
  auditEntries: 1_000,
} as const;

export const graphqlLimits = {
  tokens: 2_000,
  /** Fields of a query with its fragments expanded. The usual introspection query has about 250, 15 levels deep. */
  fields: 500,
  depth: 20,
  errors: 10,
  variableDepth: 16,
  /** Times that one request may read the dataset. */
  readings: 8,
  groups: 5_000,
  /** Values in one response: groups times fields. */
  responseValues: 200_000,
  /** Values of a filter, with every value of its lists. */
  filterValues: 1_000,
  filterDepth: 8,
  patternChars: 1_024,
  /** Characters of all patterns of a filter. */
  filterPatternChars: 4_096,
} as const;

export const logLimits = {
  /** Longest time before a record is written. */
  writeAfterMs: 250,
  retryWriteMs: 1_000,
  /** Number of waiting records that are written at once, without waiting for the time. */
  writeAfterRecords: 500,
  /** Records in one transaction: two or three milliseconds. */
  transactionRecords: 250,
  /** Memory for records that wait to be written, in bytes. */
  waitingBytes: 16 * 1024 * 1024,
  /** UTF-16 code units of a record's texts. A target is stored as long as a Location header may be. */
  textChars: { host: 255, path: 4_096, userAgent: 1_024, target: 16_384 },
  retentionIntervalMs: 3_600_000,
  /** Old records that are removed at once. */
  removedRecords: 250,
  pushedRecords: 1_000,
  pushedBytes: 1024 * 1024,
  pushTimeoutMs: 30_000,
  pushPauseMs: 300_000,
  queryMs: 10_000,
  /** Records that a query reads at once: some milliseconds. */
  scanRecords: 4_000,
  /** Pattern characters times records that a query matches at once: less than a tenth of a second. */
  scanPatternChars: 8_000,
  groups: 100_000,
  /** Characters of the values of all groups. */
  groupChars: 16_000_000,
  reportRows: 100,
  preparedStatements: 64,
} as const;

/** Settings and log in the database of a service. */
export const serviceLimits = {
  /** Pause between two looks for changes of other gateways, whose notification may have been lost. */
  pollMs: 1_000,
  dayMs: 86_400_000,
  /** Days for which the log has partitions before the first record comes. */
  daysAhead: 2,
  /** Time to wait for a lock on the log when a day is removed; others wait behind it. */
  dropLockMs: 1_000,
  /** Longer than a push may take: only then does another process go on with it. */
  pushLeaseMs: 60_000,
} as const;
