// Checks the platform token of a request and the permission that its route needs.
import { bearerToken } from "../http/bearer-token.ts";
import type { PlatformPermission } from "./api-part.ts";
import type { AuthenticatedToken, TokenStore } from "./token-rules.ts";
import { ApiRefusal, apiCodes, problems } from "./api-problems.ts";

/**
 * Returns the id of the token; at once if the store answers at once, so that a refusal comes before anything of the
 * body.
 * @throws ApiRefusal: 401 without a valid token, 403 without the permission
 */
export function authorize(
  authorization: string | undefined,
  needed: PlatformPermission,
  tokens: Pick<TokenStore, "authenticate">,
): string | Promise<string> {
  if (authorization === undefined) throw new ApiRefusal(problems.tokenMissing);
  const secret = bearerToken(authorization);
  const token = secret === undefined ? undefined : tokens.authenticate(secret);
  return token instanceof Promise
    ? token.then((found) => checkPermission(found, needed))
    : checkPermission(token, needed);
}

function checkPermission(token: AuthenticatedToken | undefined, needed: PlatformPermission): string {
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
