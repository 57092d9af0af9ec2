// What an expression can ask of a request. A field that costs something to know is a getter.

export interface RequestFields {
  /** `http.host`: lower case, without a port. */
  readonly host: string;
  /** `http.request.uri.path`, as it was sent. */
  readonly path: string;
  /** `http.request.uri.query`, without the question mark. */
  readonly query: string;
  /** `http.request.method`, upper case. */
  readonly method: string;
  /** `http.user_agent` and `http.referer`; empty where there is none. */
  readonly userAgent: string;
  readonly referer: string;
  /** `ip.src`: the visitor's address, IPv4 where it is one mapped into IPv6. */
  readonly address: string;
  /** `ssl` and the scheme of `http.request.full_uri`: of the public origin. */
  readonly isTls: boolean;
  /** `cf.hostname.metadata`: JSON text; empty where the host has none. */
  readonly hostnameMetadata: string;
  /** `cf.verified_bot_category`; empty for whoever is not verified. */
  readonly verifiedBotCategory: string;
  /** `cf.client.bot` */
  readonly isVerifiedBot: boolean;
}
