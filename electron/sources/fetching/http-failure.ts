// What can go wrong with a bounded HTTP request, as a closed set of kinds. Messages are sentences for a person and name no
// address.
import { Fault } from "./fault.ts";

export type HttpFailureKind =
  /** No connection, or it broke before the answer began. */
  | "unreachable"
  /** The connection stands and no answer begins in time. */
  | "no-answer"
  /** The answer sends us elsewhere. */
  | "redirected"
  /** The body is longer than any honest one. */
  | "too-large"
  /** The body comes too slowly, or stands still. */
  | "too-slow"
  /** The connection broke amid the body. */
  | "cut-short";

export class HttpFailure extends Fault<HttpFailureKind> {
  override readonly name = "HttpFailure";
}

export function isHttpFailure(error: unknown): error is HttpFailure {
  return error instanceof HttpFailure;
}

/** The words for what the system says of a connection; undefined where it has none that help a person. */
export function connectionReason(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = "code" in at && typeof at.code === "string" ? at.code : "";
    const reason = reasons[code];
    if (reason !== undefined) return reason;
  }
  return undefined;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was reset",
  UND_ERR_SOCKET: "the connection broke",
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "names cannot be looked up just now",
  ETIMEDOUT: "the connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out",
  ENETUNREACH: "the network cannot be reached",
  EHOSTUNREACH: "its machine cannot be reached",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is not trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not trusted",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is of another name",
  HPE_INVALID_CONSTANT: "it does not speak HTTP",
};
