// The zones in the section `gateway` of the configuration file: their schema, rules between them, and conversion.
import * as z from "zod";
import { httpOrigin, isHttpOrigin, webAddress } from "./config-values.ts";
import { compileExpression } from "../../services/gateway/rules/compile-expression.ts";
import { ExpressionError } from "../../services/gateway/rules/expression-error.ts";
import { redirectStatusCodes, zonePlans, type Zone, type ZoneOrigin } from "../../services/gateway/zone.ts";

const identifier = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "Not 1 to 64 letters, digits, hyphens and underscores");
const noHost = "Not a host name without scheme, port and path";
const host = z.union([z.hostname(), z.ipv4(), z.string().regex(/^\[[0-9a-fA-F:.]+\]$/)], { error: noHost });
const customHost = z.union(
  [
    z.hostname(),
    z
      .string()
      .regex(/^\*\.[^*]+$/)
      .refine(isWildcard),
  ],
  { error: noHost },
);
/** Value of `origin` for the folder of briefings. */
const briefingsOrigin = "briefings";
const statusCode = z.literal(redirectStatusCodes);

const SingleRedirect = z.strictObject({
  expression: z.string().superRefine((text, context) => {
    const fault = findExpressionFault(text);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  }),
  target_url: webAddress,
  status_code: statusCode.exactOptional(),
});

const BulkRedirect = z.strictObject({
  source_url: z.string().refine(isSourceUrl, { message: "Not an address such as https://brief.example/old" }),
  target_url: webAddress,
  status_code: statusCode.exactOptional(),
});

const ZoneEntry = z.strictObject({
  id: identifier,
  hosts: z.array(host).min(1).max(100),
  public_origin: httpOrigin,
  plan: z.enum(zonePlans).exactOptional(),
  custom_metadata: z.boolean().exactOptional(),
  origin: z.string().refine((text) => text === briefingsOrigin || isHttpOrigin(text), {
    message: 'Neither "briefings" nor an http or https origin without a path',
  }),
  custom_hostnames: z
    .array(z.strictObject({ id: identifier, hostname: customHost }))
    .max(1_000)
    .exactOptional(),
  single_redirects: z.array(SingleRedirect).max(300).exactOptional(),
  bulk_redirects: z.array(BulkRedirect).max(10_000).exactOptional(),
});
type ZoneEntry = z.infer<typeof ZoneEntry>;

/** Ids are unique, and no host name belongs to two zones. */
export const ZonesSection = z
  .array(ZoneEntry)
  .min(1)
  .max(100)
  .superRefine((zones, context) => {
    for (const { path, message } of findRepeats(zones)) {
      context.addIssue({ code: "custom", path: [...path], message });
    }
  });

interface Repeat {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

function findRepeats(zones: readonly ZoneEntry[]): Repeat[] {
  const repeats: Repeat[] = [];
  const notice = (seen: Set<string>, name: string, path: Repeat["path"]): void => {
    if (seen.has(name)) repeats.push({ path, message: `"${name}" is repeated` });
    seen.add(name);
  };
  const zoneIds = new Set<string>();
  const names = new Set<string>();
  zones.forEach((zone, index) => {
    notice(zoneIds, zone.id, [index, "id"]);
    zone.hosts.forEach((name, at) => {
      notice(names, toName(name), [index, "hosts", at]);
    });
    const hostnameIds = new Set<string>();
    zone.custom_hostnames?.forEach((entry, at) => {
      notice(hostnameIds, entry.id, [index, "custom_hostnames", at, "id"]);
      notice(names, toName(entry.hostname), [index, "custom_hostnames", at, "hostname"]);
    });
  });
  return repeats;
}

/** Converts an entry; `briefings` is the origin that `"origin":"briefings"` stands for. */
export function toZone(entry: ZoneEntry, briefings: ZoneOrigin): Zone {
  return {
    id: entry.id,
    hosts: entry.hosts.map(toName),
    publicOrigin: new URL(entry.public_origin).origin,
    plan: entry.plan ?? "enterprise",
    customMetadata: entry.custom_metadata ?? true,
    origin:
      entry.origin === briefingsOrigin ? briefings : { kind: "http", url: new URL(entry.origin).origin },
    customHostnames: (entry.custom_hostnames ?? []).map(({ id, hostname }) => ({
      id,
      hostname: toName(hostname),
    })),
    singleRedirects: (entry.single_redirects ?? []).map(({ expression, target_url, status_code }) => ({
      expression,
      targetUrl: target_url,
      statusCode: status_code ?? 301,
    })),
    bulkRedirects: (entry.bulk_redirects ?? []).map(({ source_url, target_url, status_code }) => ({
      sourceUrl: source_url,
      targetUrl: target_url,
      statusCode: status_code ?? 301,
    })),
  };
}

/** Returns the form in which the gateway compares names: lower case, without a trailing dot. */
function toName(text: string): string {
  return text.toLowerCase().replace(/\.$/, "");
}

function isWildcard(text: string): boolean {
  return z.hostname().safeParse(text.slice(2)).success;
}

function isSourceUrl(text: string): boolean {
  const absolute = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  return !/\s/.test(text) && URL.canParse(absolute);
}

function findExpressionFault(text: string): string | undefined {
  try {
    compileExpression(text);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}
