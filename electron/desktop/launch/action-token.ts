// The run's token, which allows actions. The host gets it by configuration, the viewer in the fragment of its
// address, which a browser never sends; no argument list, file or log contains it.
import { randomBytes } from "node:crypto";

/** Returns 32 random bytes in base64url. */
export function createActionToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns the viewer's address with the token. `origin` has no trailing slash. */
export function toActingAddress(origin: string, token: string): string {
  return `${origin}/#token=${token}`;
}
