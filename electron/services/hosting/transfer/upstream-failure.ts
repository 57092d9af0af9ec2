// The messages of failed imports, derived from the proxy's fault and from Git's output (in the C locale). The output
// itself goes only to the log.
import { ArtifactsError, type ArtifactsErrorCode } from "../artifacts-error.ts";
import type { GitFailure } from "../git/git-runner.ts";
import type { ProxyFault } from "./guarded-proxy.ts";

const failures = {
  unreachable: [502, "UPSTREAM_UNAVAILABLE", "The other service could not be reached."],
  silent: [504, "UPSTREAM_UNAVAILABLE", "The other service stopped answering."],
  "too-big": [413, "MEMORY_LIMIT", "The repository is larger than the limit for imports."],
  strayed: [422, "INVALID_INPUT", "The address leads to another host."],
  "too-long": [504, "UPSTREAM_UNAVAILABLE", "The import took too long."],
  locked: [
    422,
    "REMOTE_AUTH_REQUIRED",
    "The other service requires credentials; only public repositories can be imported.",
  ],
  redirect: [422, "INVALID_INPUT", "The address redirects; use the address that it leads to."],
  absent: [422, "INVALID_INPUT", "There is no Git repository at the address."],
  untrusted: [502, "UPSTREAM_UNAVAILABLE", "The certificate of the other service is not trusted."],
  malformed: [422, "INVALID_INPUT", "The repository contains objects that Git's own check refuses."],
  "not-git": [502, "UPSTREAM_UNAVAILABLE", "The other service did not answer like a Git service."],
} as const satisfies Readonly<Record<string, readonly [number, ArtifactsErrorCode, string]>> &
  Readonly<Record<ProxyFault, unknown>>;

/** Matches refused objects that have arrived; they count even if the connection failed later. */
const refusedObjects = /fsck error|^error: object [0-9a-f]{40}: |^error in \w+ [0-9a-f]{40}: /m;

/** The first match counts. */
const byOutput: readonly (readonly [RegExp, keyof typeof failures])[] = [
  [/could not read (?:Username|Password)|Authentication failed|returned error: (?:401|403)\b/, "locked"],
  [/redirect|returned error: 3\d\d\b/i, "redirect"],
  [
    /repository .*not found|returned error: (?:400|404|410)\b|not valid: is this a git repository|not a git repository/i,
    "absent",
  ],
  [/attempting to allocate|out of memory|malloc failed/i, "too-big"],
  [/certificate|SEC_E_/, "untrusted"],
];

export function toImportError(failure: GitFailure, fault: ProxyFault | undefined): ArtifactsError {
  // Git quotes the address, whose words must not match.
  const output = failure.stderr.replaceAll(/'[^'\n]*'|https:\/\/\S+/g, "''");
  if (refusedObjects.test(output)) return malformed(failure);
  const kind = fault ?? byOutput.find(([pattern]) => pattern.test(output))?.[1] ?? "not-git";
  return toError(kind, failure);
}

export const tooBig = (cause?: unknown): ArtifactsError => toError("too-big", cause);
export const tookTooLong = (): ArtifactsError => toError("too-long");
export const malformed = (cause: unknown): ArtifactsError => toError("malformed", cause);

function toError(kind: keyof typeof failures, cause?: unknown): ArtifactsError {
  const [status, code, message] = failures[kind];
  return new ArtifactsError(code, message, { status, cause });
}
