// Who asks, by the platform token of the request, and whether that token reaches as far as the route needs.
import type { PlatformPermission } from "./api-part.ts";
import type { PlatformTokens } from "./platform-tokens.ts";
import { ApiRefusal, apiCodes, problems } from "./api-problems.ts";

/** The scheme is taken in any case (RFC 9110, section 11.1). */
const bearer = /^Bearer +([\w\-.~+/]+=*)$/i;

/** The id of the token. Throws ApiRefusal: 401 without a valid token, 403 for one that may not do this. */
export function authorize(
  authorization: string | undefined,
  needed: PlatformPermission,
  tokens: Pick<PlatformTokens, "authenticate">,
): string {
  if (authorization === undefined) throw new ApiRefusal(problems.tokenMissing);
  const secret = bearer.exec(authorization)?.[1];
  const token = secret === undefined ? undefined : tokens.authenticate(secret);
  if (token === undefined) throw new ApiRefusal(problems.tokenWrong);
  if (!includes(token.permission, needed)) {
    throw new ApiRefusal({
      status: 403,
      code: apiCodes.authentication,
      message: `This needs a platform token with the permission ${needed}.`,
    });
  }
  return token.id;
}

/** Edit includes read of the same group. */
function includes(held: PlatformPermission, needed: PlatformPermission): boolean {
  return held === needed || held === needed.replace(/:read$/, ":edit");
}
