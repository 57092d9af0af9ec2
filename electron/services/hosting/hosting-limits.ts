// Limits and defaults of repository hosting that callers meet. Those of a single buffer or retry stay in their file.

const mib = 1024 * 1024;

/** Characters in the name of a repository or namespace. */
export const maxNameLength = 100;
/** Bytes in a branch name: Git appends `.lock`, and a file name has at most 255 bytes. */
export const maxBranchBytes = 244;
/** Bytes in a whole ref name, and in one part of it. */
export const maxRefBytes = 1024;
export const maxRefPartBytes = 250;
/** Characters in a description. */
export const maxDescriptionLength = 1000;
/** Commits that an import may ask for; Git's own limit. */
export const maxImportDepth = 2_147_483_647;
export const defaultBranchName = "main";

/** Repositories on one page of a list. */
export const maxListLimit = 200;
export const defaultListLimit = 50;
/** Tokens on one page of a list. */
export const maxTokensPerPage = 100;
export const defaultTokensPerPage = 30;
export const maxTokenPage = 1_000_000;
/** Commits in one log. */
export const maxLogLimit = 1000;
export const defaultLogLimit = 50;

/** Lifetime of a token in seconds. */
export const defaultTtlSeconds = 86_400;
export const minTtlSeconds = 60;
export const maxTtlSeconds = 31_536_000;
/** Time for which expired and revoked tokens are still listed. */
export const endedTokenRetentionMs = 90 * 86_400_000;

/** Entries of the audit trail for one repository name, and for all. */
export const maxAuditEntriesPerName = 1000;
export const maxAuditEntries = 100_000;
/** Characters in the detail of an audit entry, and refs listed in that of a push. */
export const maxAuditDetailLength = 4096;
export const maxAuditRefs = 200;

/** Object reads beyond these byte lengths end with `MEMORY_LIMIT`. A tree of this size has about 100,000 entries. */
export const maxBlobBytes = 32 * mib;
export const maxTreeBytes = 4 * mib;
export const maxCommitBytes = 4 * mib;
/** Bytes of all commits in one log. */
export const maxLogBytes = 32 * mib;
/** Object reads at once: at most 8 of the largest blobs are in memory, and one repository takes half the slots. */
export const readingLimits = { total: 8, perKey: 4, waiting: 512 } as const;

/** Refs that one push may change, and bytes in its list of commands. */
export const maxPushCommands = 20_000;
export const maxCommandBytes = 8 * mib;
/** Pushes at once: one per repository. */
export const pushLimits = { total: 8, perKey: 1, waiting: 64 } as const;
/** Bytes of a push or fetch request that are read before it takes a slot. */
export const readAheadBytes = mib;
/** Bytes of an answer that wait in memory for a slow client: a shorter answer releases its slot before it is sent. */
export const writeAheadBytes = mib / 4;
/** Decoded bytes in the request of a fetch with very many refs. */
export const maxNegotiationBytes = 64 * mib;
/** Packs per repository before they are repacked, and the time that one repack may take. */
export const maxPacks = 40;
export const repackTimeoutMs = 90_000;
/** Time by which a client may fall behind the lowest speed while others wait for its slot. */
export const clientPatienceMs = 10_000;

/** Time budgets of an import: one address, silence, and the whole. */
export const importTimeouts = { connectMs: 10_000, idleMs: 60_000, totalMs: 15 * 60_000 } as const;
/** Refs of an imported repository, and bytes in their listing. */
export const maxImportRefs = 100_000;
export const maxImportListingBytes = 16 * mib;
