// Builds the text that an HTTP message signature signs (RFC 9421, section 2.5): a line for each covered component of
// the request, then the parameters of the signature.
import type { Visitor } from "./crawler-verdict.ts";
import type { SignatureInput } from "./signature-headers.ts";

/** Returns undefined if a component is missing in the request, is repeated, or has parameters. */
export function toSignatureBase({ components, text }: SignatureInput, visitor: Visitor): string | undefined {
  const lines: string[] = [];
  const seen = new Set<string>();
  for (const { name, hasParameters } of components) {
    // No parameter is needed for a crawler's request, and each changes what is signed.
    if (hasParameters || seen.has(name)) return undefined;
    seen.add(name);
    const value = name.startsWith("@") ? toDerived(name, visitor) : toHeader(name, visitor);
    if (value === undefined) return undefined;
    lines.push(`"${name}": ${value}`);
  }
  lines.push(`"@signature-params": ${text}`);
  return lines.join("\n");
}

/** RFC 9421, section 2.2. */
function toDerived(name: string, { method, authority, url }: Visitor): string | undefined {
  const [, scheme, target] = /^([a-z][a-z0-9+.-]*):\/\/[^/?#]*([^#]*)/i.exec(url) ?? [];
  if (scheme === undefined || target === undefined) return undefined;
  const queryAt = target.indexOf("?");
  switch (name) {
    case "@authority":
      return authority.toLowerCase();
    case "@method":
      return method;
    case "@scheme":
      return scheme.toLowerCase();
    case "@target-uri":
      return url;
    case "@request-target":
      return target;
    case "@path":
      return (queryAt === -1 ? target : target.slice(0, queryAt)) || "/";
    case "@query":
      return queryAt === -1 ? "?" : target.slice(queryAt);
    default:
      return undefined;
  }
}

function toHeader(name: string, { headers }: Visitor): string | undefined {
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || !Object.hasOwn(headers, name)) return undefined;
  const value = headers[name];
  return (typeof value === "string" ? value : value?.join(", "))?.trim();
}
