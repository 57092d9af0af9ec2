// Tokens of fetched packs, one for each event, in the secret keeper.
import { AppError, isAppError } from "../../../shared/app-error.ts";
import type { SecretKeeper } from "../config/secrets.ts";

export interface PackTokens {
  /** Resolves with false if the keeper refuses. */
  readonly keep: (eventId: string, token: string) => Promise<boolean>;
  /** Forgets an expired token and throws `conflict`. */
  readonly find: (eventId: string) => Promise<string | undefined>;
  /** Resolves with true if there is a token that has not expired. */
  readonly has: (eventId: string) => Promise<boolean>;
  /** Does nothing if there is none. */
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
