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

/** Returns the refusal for a full queue. */
export function refuseBusy(): GitRefusal {
  return new GitRefusal(503, busyMessage, { "Retry-After": "10" });
}

export const busyMessage = "Too many requests are waiting; try again in a moment.";
