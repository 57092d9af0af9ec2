// A Git request that is answered with something else than Git's own words: a status and one sentence, which Git clients
// show behind "remote:".

export class GitRefusal extends Error {
  override readonly name = "GitRefusal";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** For the log alone: what Git wrote on its standard error. */
  readonly reason: string | undefined;

  /** `message` is a sentence without token and local path. */
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

/** Returns the refusal of a request for which the queue is full. */
export function refuseBusy(): GitRefusal {
  return new GitRefusal(503, busyMessage, { "Retry-After": "10" });
}

export const busyMessage = "Too many requests are waiting; try again in a moment.";
