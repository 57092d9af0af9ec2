// Converts errors of S3 requests to an AppError with one sentence that names the key of the configuration and what to
// do. It repeats no text of the server, and no credentials.
import { AppError } from "../../../shared/app-error.ts";
import { systemCode } from "../disk/storage-error.ts";

interface ErrorFacts {
  /** Name of the error, or code of the server, such as `NoSuchBucket`. */
  readonly name: string;
  /** True if the client now knows how far its clock is off: the next request bears the server's time. */
  readonly isClockCorrected: boolean;
  readonly status: number | undefined;
  /** Code of the system, such as `ECONNREFUSED`. */
  readonly code: string | undefined;
}

function factsOf(error: unknown): ErrorFacts {
  const { name, $metadata: metadata } = error as {
    readonly name?: string;
    readonly $metadata?: { readonly httpStatusCode?: number; readonly clockSkewCorrected?: boolean };
  };
  // Attempts on several addresses of a host fail together.
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return {
    name: name ?? "",
    isClockCorrected: metadata?.clockSkewCorrected === true,
    status: metadata?.httpStatusCode,
    code: systemCode(first),
  };
}

/** Returns true if the server has no such object. A missing bucket is a failure. */
export function isMissingObject(error: unknown): boolean {
  const { name } = factsOf(error);
  return name === "NoSuchKey" || name === "NotFound";
}

/** Reasons that pass, by code of the system. */
const connectionReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refuses the connection",
  ECONNRESET: "breaks the connection",
  EPIPE: "breaks the connection",
  ETIMEDOUT: "does not answer",
  EHOSTUNREACH: "cannot be reached",
  ENETUNREACH: "cannot be reached",
  ENOTFOUND: "has an unknown host name",
  EAI_AGAIN: "has an unknown host name",
};

/** Answers to a body that was damaged or too slow on its way. */
const passingNames = ["TimeoutError", "BadDigest", "IncompleteBody", "RequestTimeout", "SlowDown"];

/** Returns true for a failure that another attempt may not have. */
export function isPassing(error: unknown): boolean {
  const { name, isClockCorrected, status, code } = factsOf(error);
  if (isClockCorrected || passingNames.includes(name)) return true;
  if (connectionReasons[code ?? ""] !== undefined) return true;
  return status !== undefined && (status === 429 || (status >= 500 && status !== 501));
}

const credentials = "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile";

/** Sentences by name of the error. */
const accessDenied =
  "The object store refuses access to the bucket of `objects.url`; allow listing, reading, writing and deleting.";
const knownErrors: Readonly<Record<string, string>> = {
  NoSuchBucket: "The bucket of `objects.url` does not exist; create it, or correct the name.",
  InvalidBucketName: "The bucket of `objects.url` has an invalid name; correct it.",
  AccessDenied: accessDenied,
  InvalidAccessKeyId: `The object store of \`objects.url\` does not know the credentials; ${credentials}.`,
  SignatureDoesNotMatch: `The object store of \`objects.url\` refuses the credentials; ${credentials}.`,
  ExpiredToken: `The credentials for \`objects.url\` have expired; ${credentials}.`,
  CredentialsProviderError: `There are no credentials for \`objects.url\`; ${credentials}.`,
  RequestTimeTooSkewed:
    "The clock of this machine differs from that of the object store of `objects.url`; set it.",
  PermanentRedirect: "The bucket of `objects.url` is in another region; set AWS_REGION.",
  AuthorizationHeaderMalformed: "The bucket of `objects.url` is in another region; set AWS_REGION.",
};

export function toS3Error(error: unknown, { endpoint }: { readonly endpoint: string | undefined }): AppError {
  const { name, status, code } = factsOf(error);
  const place = endpoint === undefined ? "`objects.url`" : "`objects.endpoint`";
  const sentence = (): string => {
    if (knownErrors[name] !== undefined) return knownErrors[name];
    const reason = name === "TimeoutError" ? "does not answer" : connectionReasons[code ?? ""];
    if (reason !== undefined) return `The object store of ${place} ${reason}; check that it runs there.`;
    if (isCertificateCode(code))
      return `The certificate of ${place} is not trusted; install its authority, or set NODE_EXTRA_CA_CERTS.`;
    if (code === "EPROTO") return `The server of ${place} does not speak TLS; correct the key.`;
    if (error instanceof Error && /region is missing/i.test(error.message))
      return "The region of the bucket of `objects.url` is unknown; set AWS_REGION.";
    if (status === 403) return accessDenied;
    if (status === 429 || (status !== undefined && status >= 500))
      return `The object store of ${place} answers with status ${status}; look at its log.`;
    return `The server of ${place} does not answer as an S3 server; correct the key.`;
  };
  const context = { name, status, code };
  const kind = isPassing(error) ? "storage-unavailable" : "storage-failed";
  // The answer of a server may repeat the access key and what was signed.
  const cause = status === undefined ? error : undefined;
  return new AppError(kind, sentence(), { context, cause });
}

function isCertificateCode(code: string | undefined): boolean {
  return code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/.test(code);
}
