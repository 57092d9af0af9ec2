// The three headers of a signed request: `Signature-Input` and `Signature` (RFC 9421) and `Signature-Agent` (Web Bot
// Auth). The first two are dictionaries of RFC 9651, accepted only in the form that a serializer gives them.
import { isInnerList, parseDictionary, serializeInnerList, Token } from "structured-headers";
import type { Dictionary, InnerList, Item, Parameters } from "structured-headers";
import { crawlerLimits } from "../gateway-limits.ts";

export interface SignatureInput {
  /** `sig1` */
  readonly label: string;
  readonly components: readonly {
    /** `@authority`, `signature-agent` */
    readonly name: string;
    readonly hasParameters: boolean;
  }[];
  /** Integers as numbers, strings and tokens as text, a parameter without a value as true. */
  readonly parameters: ReadonlyMap<string, string | number | boolean>;
  /** From `(` to the last parameter: the last line of the signed text. */
  readonly text: string;
}

/** Returns undefined for a header that is too long or not valid. */
export function parseSignatureInput(header: string): readonly SignatureInput[] | undefined {
  const members = parseMembers(header);
  if (!members) return undefined;
  const inputs: SignatureInput[] = [];
  for (const [label, member] of members) {
    const input = isInnerList(member) ? toInput(label, member) : undefined;
    if (!input) return undefined;
    inputs.push(input);
  }
  return isSerialized(header, inputs) ? inputs : undefined;
}

/** Returns the bytes of each signature by its label, or undefined for a header that is too long or not valid. */
export function parseSignatures(header: string): ReadonlyMap<string, Uint8Array> | undefined {
  const members = parseMembers(header);
  // A repeated label replaces the one before.
  if (members?.size !== header.split(",").length) return undefined;
  const signatures = new Map<string, Uint8Array>();
  for (const [label, [value, parameters]] of members) {
    if (!(value instanceof ArrayBuffer) || parameters.size > 0) return undefined;
    signatures.set(label, new Uint8Array(value));
  }
  return signatures;
}

/** Returns the normalized URL; undefined for anything but an https URL without a user, a query or a fragment. */
export function parseAgentUrl(text: string): string | undefined {
  if (text.length > crawlerLimits.agentUrlChars) return undefined;
  const url = URL.parse(text);
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "") return undefined;
  return url.search === "" && url.hash === "" ? url.href : undefined;
}

/** Returns the URL of a `Signature-Agent`, which must be one quoted string. Nothing is fetched from there. */
export function parseSignatureAgent(header: string): string | undefined {
  const [, text] = /^"([\x21\x23-\x5b\x5d-\x7e]+)"$/.exec(header) ?? [];
  return text === undefined ? undefined : parseAgentUrl(text);
}

function parseMembers(header: string): Dictionary | undefined {
  if (header.length > crawlerLimits.signatureHeaderChars) return undefined;
  try {
    const members = parseDictionary(header);
    return members.size > 0 && members.size <= crawlerLimits.signatures ? members : undefined;
  } catch {
    // The package throws for every header that is not valid.
    return undefined;
  }
}

function toInput(label: string, member: InnerList): SignatureInput | undefined {
  const [items, allParameters] = member;
  const parameters = toParameters(allParameters);
  if (!parameters || items.length > crawlerLimits.coveredComponents || !items.every(isName)) return undefined;
  const components = items.map(([name, { size }]) => ({ name, hasParameters: size > 0 }));
  return { label, components, parameters, text: serializeInnerList(member) };
}

function isName(item: Item): item is [string, Parameters] {
  return typeof item[0] === "string";
}

function toParameters(parameters: Parameters): SignatureInput["parameters"] | undefined {
  if (parameters.size > crawlerLimits.signatureParameters) return undefined;
  const values = new Map<string, string | number | boolean>();
  for (const [name, parameter] of parameters) {
    const value = parameter instanceof Token ? parameter.toString() : parameter;
    if (typeof value !== "string" && value !== true && !Number.isInteger(value)) return undefined;
    values.set(name, value as string | number | boolean);
  }
  return values;
}

/**
 * True if the header is written as a serializer would. A parameter that is repeated, or odd spaces, would be
 * ambiguous.
 */
function isSerialized(header: string, inputs: readonly SignatureInput[]): boolean {
  let rest = header;
  for (const [index, { label, text }] of inputs.entries()) {
    if (index > 0) rest = rest.replace(/^[ \t]*,[ \t]*/, "");
    const member = `${label}=${text}`;
    if (!rest.startsWith(member)) return false;
    rest = rest.slice(member.length);
  }
  return rest === "";
}
