// Validates an address that a person types or pastes, before it is sent.
import { isAppError } from "../../../shared/app-error.ts";
import { PackAddress } from "../../../shared/contract/packs.ts";
import { parseRemoteAddress } from "../../../shared/packs/pairing-code.ts";

/** Returns the problem of an address as a sentence, or undefined if it is valid or empty. */
export function findAddressProblem(text: string): string | undefined {
  if (text.trim() === "") return undefined;
  const { data, error } = PackAddress.safeParse(text);
  if (error) return `${error.issues[0]?.message ?? "This is not an address"}.`;
  try {
    parseRemoteAddress(data);
    return undefined;
  } catch (problem) {
    if (isAppError(problem)) return problem.detail;
    throw problem;
  }
}
