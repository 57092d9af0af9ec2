// What a failed import says to whoever asked for it: from what the proxy saw, and from Git's own words (in the C locale), which
// themselves go no further than the log.
import { ArtifactsError } from "../artifacts-error.ts";
import type { GitFailure } from "../git/git-runner.ts";
import type { ProxyFault } from "./guarded-proxy.ts";
import { TransferError } from "./transfer-error.ts";

const byFault: Readonly<Record<ProxyFault, (cause: unknown) => ArtifactsError>> = {
  unreachable: (cause) =>
    new TransferError(502, "UPSTREAM_UNAVAILABLE", "The other service could not be reached.", { cause }),
  silent: (cause) =>
    new TransferError(504, "UPSTREAM_UNAVAILABLE", "The other service stopped answering.", { cause }),
  "too-big": (cause) => tooBig(cause),
  strayed: (cause) =>
    new TransferError(422, "INVALID_INPUT", "The address leads on to another host.", { cause }),
};

type Rule = readonly [RegExp, (cause: GitFailure) => ArtifactsError];

/** Said of objects that have arrived: whatever became of the connection meanwhile. */
const refusedObjects = /fsck error|^error: object [0-9a-f]{40}: |^error in \w+ [0-9a-f]{40}: /m;

/** The first that matches counts. */
const byWords: readonly Rule[] = [
  [
    /could not read (?:Username|Password)|Authentication failed|returned error: (?:401|403)\b/,
    (cause) =>
      new ArtifactsError(
        "REMOTE_AUTH_REQUIRED",
        "The other service asks for credentials; only public repositories can be imported.",
        { cause },
      ),
  ],
  [
    /redirect|returned error: 3\d\d\b/i,
    (cause) =>
      new TransferError(422, "INVALID_INPUT", "The address redirects; give the one that it leads to.", {
        cause,
      }),
  ],
  [
    /repository .*not found|returned error: (?:400|404|410)\b|not valid: is this a git repository|not a git repository/i,
    (cause) =>
      new TransferError(422, "INVALID_INPUT", "There is no Git repository at the address.", { cause }),
  ],
  [/attempting to allocate|out of memory|malloc failed/i, (cause) => tooBig(cause)],
  [
    /certificate|SEC_E_/,
    (cause) =>
      new TransferError(502, "UPSTREAM_UNAVAILABLE", "The certificate of the other service is not trusted.", {
        cause,
      }),
  ],
];

export function toImportError(failure: GitFailure, fault: ProxyFault | undefined): ArtifactsError {
  // What Git quotes is the address: its words are none of Git's.
  const said = failure.stderr.replaceAll(/'[^'\n]*'|https:\/\/\S+/g, "''");
  if (refusedObjects.test(said)) return malformed(failure);
  if (fault !== undefined) return byFault[fault](failure);
  const rule = byWords.find(([words]) => words.test(said));
  if (rule !== undefined) return rule[1](failure);
  return new TransferError(
    502,
    "UPSTREAM_UNAVAILABLE",
    "The other service did not answer as a Git service does.",
    {
      cause: failure,
    },
  );
}

export function tooBig(cause?: unknown): TransferError {
  return new TransferError(413, "MEMORY_LIMIT", "The repository is larger than what is taken in here.", {
    cause,
  });
}

export function tookTooLong(): TransferError {
  return new TransferError(504, "UPSTREAM_UNAVAILABLE", "The import took longer than is waited for.");
}

export function malformed(cause: unknown): TransferError {
  return new TransferError(
    422,
    "INVALID_INPUT",
    "The repository holds objects that Git's own check refuses.",
    {
      cause,
    },
  );
}
