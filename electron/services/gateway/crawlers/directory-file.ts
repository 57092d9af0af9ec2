// The file of known crawlers as it lies on disk: what may stand in it, strictly. Whatever does not fit is said in a sentence
// that names the place.
import * as z from "zod";
import { AppError } from "../../../../shared/app-error.ts";
import { parseRange } from "./address-set.ts";
import { parseAgentUrl } from "./signature-agent.ts";
import { isBrowserToken, nameText } from "./user-agent-names.ts";

/** A file beyond this is not read: real lists have some thousands of ranges, of about twenty characters each. */
export const MAX_DIRECTORY_BYTES = 8 * 1024 * 1024;

const Words = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}]*$/u, "has control characters");

const UserAgentName = z
  .string()
  .regex(nameText, "is no product name: letters, digits, dots, underscores and hyphens, 3 to 64")
  .refine((name) => !isBrowserToken(name), "is what browsers say of themselves");

const Cidr = z.string().refine((text) => parseRange(text) !== undefined, {
  error: "is no CIDR such as 192.0.2.0/24 or 2001:db8::/32, or takes in too much of the net",
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
    {
      error: "is no name of the DNS with at least two labels",
    },
  );

/** RFC 8037: the public half alone, 32 bytes. Whatever else a key says of itself is not asked for. */
const PublicKey = z
  .looseObject({
    kty: z.literal("OKP"),
    crv: z.literal("Ed25519"),
    x: z.string().regex(/^[A-Za-z0-9_-]{43}$/, "is no public Ed25519 key"),
  })
  .refine((key) => !("d" in key), "holds a private key, which belongs to its owner alone");

const SignatureAgent = z.strictObject({
  url: z
    .string()
    .refine(
      (url) => parseAgentUrl(url) !== undefined,
      "is no https URL without a user, a query or a fragment",
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

/** Suffixes are in lower case and begin with a label. */
export type DirectoryFile = z.infer<typeof DirectoryFile>;
export type DirectoryEntry = DirectoryFile["bots"][number];

/** @throws AppError `source-invalid` with a sentence that names the first fault */
export function parseDirectoryFile(text: string): DirectoryFile {
  if (Buffer.byteLength(text) > MAX_DIRECTORY_BYTES) {
    throw new AppError("source-invalid", "The list of crawlers is larger than any such list.");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError("source-invalid", "The list of crawlers is no JSON.", { cause });
  }
  const parsed = DirectoryFile.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.map(String).join(".").slice(0, 120) ?? "";
  const fault = (issue?.message ?? "It does not fit.").slice(0, 200);
  throw new AppError(
    "source-invalid",
    `The list of crawlers cannot be used: ${place === "" ? "at its top" : place}: ${fault}${fault.endsWith(".") ? "" : "."}`,
    { cause: parsed.error },
  );
}
