// The schema of the file of known crawlers. Refusals are sentences that name the place.
import * as z from "zod";
import { AppError } from "../../../../shared/app-error.ts";
import { crawlerLimits } from "../gateway-limits.ts";
import { parsePublishedRange } from "./published-range.ts";
import { parseAgentUrl } from "./signature-headers.ts";
import { isBrowserToken, nameText } from "./user-agent-names.ts";

const Words = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}]*$/u, "has control characters");

const UserAgentName = z
  .string()
  .regex(nameText, "is not a product name: letters, digits, dots, underscores and hyphens, 3 to 64")
  .refine((name) => !isBrowserToken(name), "is a name that browsers use");

const Cidr = z.string().refine((text) => parsePublishedRange(text) !== undefined, {
  error: "is not a CIDR such as 192.0.2.0/24 or 2001:db8::/32, or is too large",
});

const DnsSuffix = z
  .string()
  .max(253)
  .transform((text) =>
    text
      .toLowerCase()
      .replace(/^\*?\./, "")
      .replace(/\.$/, ""),
  )
  .refine(
    (name) => /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name),
    "is not a DNS name with at least two labels",
  );

/** RFC 8037: the public half, 32 bytes. Other members of a key are ignored. */
const PublicKey = z
  .looseObject({
    kty: z.literal("OKP"),
    crv: z.literal("Ed25519"),
    x: z.string().regex(/^[A-Za-z0-9_-]{43}$/, "is not a public Ed25519 key"),
  })
  .refine((key) => !("d" in key), "contains a private key, which must stay with its owner");

const SignatureAgent = z.strictObject({
  url: z
    .string()
    .refine(
      (url) => parseAgentUrl(url) !== undefined,
      "is not an https URL without a user, a query or a fragment",
    ),
  keys: z.array(PublicKey).max(50),
});

const Bot = z.strictObject({
  name: Words,
  operator: Words,
  category: Words,
  user_agents: z.array(UserAgentName).max(50),
  ranges: z.array(Cidr).max(50_000).default([]),
  dns_suffixes: z.array(DnsSuffix).max(50).default([]),
  signature_agents: z.array(SignatureAgent).max(50).default([]),
});

const DirectoryFile = z.strictObject({
  schema_version: z.literal(1),
  updated_at: z.iso.datetime({ offset: true }),
  bots: z.array(Bot).max(1000),
});

/** Suffixes are in lower case, without a leading dot. */
export type DirectoryFile = z.infer<typeof DirectoryFile>;
export type DirectoryEntry = DirectoryFile["bots"][number];

/** @throws AppError `source-invalid` with a sentence that names the first fault */
export function parseDirectoryFile(text: string): DirectoryFile {
  if (Buffer.byteLength(text) > crawlerLimits.directoryBytes) throw tooLarge();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError("source-invalid", "The list of crawlers is not JSON.", { cause });
  }
  const parsed = DirectoryFile.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.map(String).join(".").slice(0, 120) ?? "";
  const fault = (issue?.message ?? "It does not match the schema.").slice(0, 200);
  throw new AppError(
    "source-invalid",
    `The list of crawlers cannot be used: ${place === "" ? "at the top level" : place}: ${fault}${fault.endsWith(".") ? "" : "."}`,
    { cause: parsed.error },
  );
}

export function tooLarge(): AppError {
  return new AppError("source-invalid", "The list of crawlers is larger than 8 MiB.");
}
