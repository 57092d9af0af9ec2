// Why something of the followed service could not be read or taken, as a closed set of kinds. Messages are sentences for a
// person: they reach the log and the health report, and name no address.
import { Fault } from "../fetching/fault.ts";
import { isHttpFailure } from "../fetching/http-failure.ts";

export type MirrorFaultKind =
  /** The service cannot be reached, or does not answer: nothing is known of what was asked for. */
  | "link"
  /** 404: what was asked for is not there, or not any more. */
  | "gone"
  /** It answered, and the answer cannot be used. */
  | "answer";

export class MirrorFault extends Fault<MirrorFaultKind> {
  override readonly name = "MirrorFault";
}

export function isMirrorFault(error: unknown, kind?: MirrorFaultKind): error is MirrorFault {
  return error instanceof MirrorFault && (kind === undefined || error.kind === kind);
}

/** The fault that a failed request is; every other error as it is. */
export function toMirrorFault(error: unknown): unknown {
  if (!isHttpFailure(error)) return error;
  const isLink = error.kind === "unreachable" || error.kind === "no-answer";
  return new MirrorFault(isLink ? "link" : "answer", error.message, error);
}
