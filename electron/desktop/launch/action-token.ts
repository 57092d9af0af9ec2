// The run's token: who has it may act, and not only look. It goes to the host by configuration and to the viewer in the
// fragment of the address that is opened, which a browser never sends; no argument list, file or log ever holds it.
import { randomBytes } from "node:crypto";

/** 32 random bytes, base64url. */
export function createActionToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The viewer's address for a person who may act. `origin` has no trailing slash. */
export function toActingAddress(origin: string, token: string): string {
  return `${origin}/#token=${token}`;
}
