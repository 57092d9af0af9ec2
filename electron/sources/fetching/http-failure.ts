// The one typed error of an HTTP request, and the words for why a connection failed. Messages are sentences for a
// person and contain no address.

/** Failures of the connection and of the size and pace of the body. */
export type ConnectionFailureKind =
  /** No connection, or it broke before the response began. */
  | "unreachable"
  /** Connected, but no response in time. */
  | "no-answer"
  | "redirected"
  /** The body is longer than allowed. */
  | "too-large"
  /** The body arrives too slowly, or stopped. */
  | "too-slow"
  /** The connection broke in the middle of the body. */
  | "cut-short";

export type HttpFailureKind =
  | ConnectionFailureKind
  /** 404: it does not exist, or not anymore. */
  | "gone"
  /** The server responded, but the response is unusable. */
  | "invalid";

export class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  readonly kind: HttpFailureKind;

  /** `message` is a sentence for a person. */
  constructor(kind: HttpFailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

export function isHttpFailure(error: unknown, kind?: HttpFailureKind): error is HttpFailure {
  return error instanceof HttpFailure && (kind === undefined || error.kind === kind);
}

/** Returns true if nothing is known of what was requested: the server was not reached or did not respond. */
export function isLinkFailure(
  error: unknown,
): error is HttpFailure & { readonly kind: "unreachable" | "no-answer" } {
  return isHttpFailure(error, "unreachable") || isHttpFailure(error, "no-answer");
}

/** Returns words for the system's reason why a connection failed; undefined if it has none that help a person. */
export function connectionReason(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = "code" in at && typeof at.code === "string" ? at.code : "";
    const reason = reasons[code];
    if (reason !== undefined) return reason;
  }
  return undefined;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EPIPE: "connection reset",
  UND_ERR_SOCKET: "connection lost",
  ENOTFOUND: "server name not found",
  EAI_AGAIN: "server names can't be looked up right now",
  ETIMEDOUT: "connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "connection timed out",
  ENETUNREACH: "network unreachable",
  EHOSTUNREACH: "server unreachable",
  CERT_HAS_EXPIRED: "certificate expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate not trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate not trusted",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate is for another name",
  HPE_INVALID_CONSTANT: "not an HTTP server",
};
