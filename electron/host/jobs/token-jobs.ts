// Work on the control plane's tokens.
import type { PlatformTokens } from "../../services/api/platform-tokens.ts";
import type { Effects } from "../../platform/effects.ts";

export { platformPermissions } from "../../services/api/api-part.ts";

export interface TokenPlace {
  readonly dataDirectory: string;
  /** `make` makes the store where there is none; `existing` throws `not-found`. */
  readonly file: "make" | "existing";
}

/** A running host knows of it at once. Throws as `openPlatformTokens` and `use` do. */
export async function usePlatformTokens<Result>(
  { dataDirectory, file }: TokenPlace,
  { now }: Effects,
  use: (tokens: PlatformTokens) => Result,
): Promise<Result> {
  const { openPlatformTokens } = await import("../../services/api/platform-tokens.ts");
  const tokens = await openPlatformTokens({ directory: dataDirectory, file, now });
  try {
    return use(tokens);
  } finally {
    tokens.close();
  }
}
