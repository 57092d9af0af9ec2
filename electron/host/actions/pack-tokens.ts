// The tokens that open packs which were got from others, one an event, with the keeper of secrets. One that says of itself
// that it has expired is forgotten when it is met.
import { AppError, isAppError } from "../../../shared/app-error.ts";
import type { SecretKeeper } from "../config/secrets.ts";

export interface PackTokens {
  /** False when the keeper refused. */
  readonly keep: (eventId: string, token: string) => Promise<boolean>;
  /** Throws `conflict` for one that has expired. */
  readonly find: (eventId: string) => Promise<string | undefined>;
  /** Whether there is one that has not expired. */
  readonly has: (eventId: string) => Promise<boolean>;
  /** Forgetting what is not there changes nothing. */
  readonly forget: (eventId: string) => Promise<void>;
}

export function createPackTokens(secrets: SecretKeeper, now: () => Date): PackTokens {
  const isExpired = (token: string): boolean => {
    const expires = /\?expires=(\d{1,15})$/.exec(token)?.[1];
    return expires !== undefined && Number(expires) * 1_000 <= now().getTime();
  };
  return {
    keep: async (eventId, token) => {
      try {
        await secrets.save(nameOf(eventId), token);
        return true;
      } catch (error) {
        if (isAppError(error, "storage-failed")) return false;
        throw error;
      }
    },
    find: async (eventId) => {
      const token = await secrets.find(nameOf(eventId));
      if (token === undefined || !isExpired(token)) return token;
      await secrets.forget(nameOf(eventId));
      throw new AppError(
        "conflict",
        "The token for this pack has expired; ask for a new one, and get the pack with it.",
      );
    },
    has: async (eventId) => {
      const token = await secrets.find(nameOf(eventId));
      return token !== undefined && !isExpired(token);
    },
    forget: (eventId) => secrets.forget(nameOf(eventId)),
  };
}

function nameOf(eventId: string): string {
  return `pack:${eventId}`;
}
