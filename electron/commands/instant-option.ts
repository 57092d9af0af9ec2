// Options that take an instant.
import { UsageError } from "./option-values.ts";

/** Returns the text. @throws UsageError if it is not an instant */
export async function checkInstant(text: string, option: string): Promise<string> {
  const { Instant } = await import("../../shared/contract/primitives.ts");
  if (Instant.safeParse(text).success) return text;
  throw new UsageError(`${option} takes an instant such as 2024-05-20T21:00:00Z, not "${text}".`);
}

/** Returns milliseconds since the Unix epoch; undefined for an absent option. @throws UsageError as above */
export async function toInstantMs(text: string | undefined, option: string): Promise<number | undefined> {
  return text === undefined ? undefined : Date.parse(await checkInstant(text, option));
}
