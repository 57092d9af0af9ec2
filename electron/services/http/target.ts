// Request targets: the forms that they come in, and their parts.
import type { Guard, Scheme } from "./host-guard.ts";

/** The path of a request target, without query and fragment. */
export function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
}

/** The path and query of a request target; undefined for what names neither (`*`, another host's URL). */
export function toOriginForm(target: string, scheme: Scheme, guard: Guard): string | undefined {
  if (target.startsWith("/")) return target;
  const absolute = /^(https?):\/\/([^/?#]+)(\/.*)?$/i.exec(target);
  if (absolute?.[1]!.toLowerCase() !== scheme) return undefined;
  return guard.answersTo(absolute[2]!) ? (absolute[3] ?? "/") : undefined;
}
