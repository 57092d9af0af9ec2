// The token of an Authorization header.

/** Returns the token of the Bearer scheme, in any case (RFC 9110, section 11.1; RFC 6750, section 2.1). */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w\-.~+/]+=*)$/i.exec(authorization ?? "")?.[1];
}
