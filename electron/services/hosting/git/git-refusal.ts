// A Git request that Echotop answers itself: a status and one sentence, which Git clients show after "remote:".

export class GitRefusal extends Error {
  override readonly name = "GitRefusal";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Git's standard error, only for the log. */
  readonly reason: string | undefined;

  /** `message` is a sentence without a token or local path. */
  constructor(
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    reason?: string,
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.reason = reason;
  }
}

/** Git's words for a request that it cannot parse or fulfill (upload-pack.c, serve.c, pkt-line.c). */
const faults = [
  ...[
    "protocol error",
    "git upload-pack: (?:protocol error|not our ref|deepen|ambiguous|expected|filtering)",
  ],
  ...["[Ii]nvalid (?:deepen|shallow|command|filter-spec)", "unexpected line", "expected flush", "no command"],
  ...["unknown (?:capability|object format)", "mismatched object format", "the remote end hung up"],
];
const malformed = new RegExp(`^fatal: (?:${faults.join("|")})\\b`, "m");
const diskFull = /No space left on device|Disk quota exceeded/;

/** Returns the refusal for a Git that failed without output; `stderr` is in the C locale. */
export function refuseFailure(stderr: string): GitRefusal {
  if (malformed.test(stderr)) return new GitRefusal(400, "The request is malformed.");
  if (diskFull.test(stderr)) return new GitRefusal(507, "The disk of the host is full.", {}, stderr);
  return new GitRefusal(500, "Git could not answer for this repository.", {}, stderr);
}

/** Returns the refusal for a full queue. */
export function refuseBusy(): GitRefusal {
  return new GitRefusal(503, busyMessage, { "Retry-After": "10" });
}

export const busyMessage = "Too many requests are waiting; try again in a moment.";
