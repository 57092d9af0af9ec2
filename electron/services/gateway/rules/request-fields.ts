// The fields of a request that an expression can read. Expensive ones are getters.

export interface RequestFields {
  /** `http.host`: lower case, without a port. */
  readonly host: string;
  /** `http.request.uri.path`, as it was sent. */
  readonly path: string;
  /** `http.request.uri.query`, without the question mark. */
  readonly query: string;
  /** `http.request.method`, upper case. */
  readonly method: string;
  /** `http.user_agent` and `http.referer`; empty if absent. */
  readonly userAgent: string;
  readonly referer: string;
  /** `ip.src`: the visitor's address; IPv4 for an IPv4-mapped IPv6 address. */
  readonly address: string;
  /** `ssl` and the scheme of `http.request.full_uri`: those of the public origin. */
  readonly isTls: boolean;
  /** `cf.hostname.metadata`: JSON text; empty if the host has none. */
  readonly hostnameMetadata: string;
  /** `cf.verified_bot_category`; empty for an unverified visitor. */
  readonly verifiedBotCategory: string;
  /** `cf.client.bot` */
  readonly isVerifiedBot: boolean;
}
