// Schemas of a pack's JSON files, and their canonical form: key order as in the schema, two spaces, a newline at the
// end. The schema of manifests is in the contract.
import * as z from "zod";
import { Bounds, EventId, Instant, ProductId, Sequence } from "../../../shared/contract/primitives.ts";
import { StormEventKind, StormEventStatus } from "../../../shared/contract/storm-event.ts";
import { eventOrigins } from "../../../shared/revisions/event-origin.ts";
import { frameIdPattern, revisionIdPattern } from "./pack-layout.ts";
import { refusal, showPath } from "./refusal.ts";

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const PackRevisionId = z.string().regex(revisionIdPattern);
const PackSequence = Sequence.max(Number.MAX_SAFE_INTEGER);

export const PackEvent = z.strictObject({
  id: EventId,
  kind: StormEventKind,
  label: z.string(),
  origin: z.enum(eventOrigins),
  status: StormEventStatus,
  startedAt: Instant.nullable(),
  endedAt: Instant.nullable(),
  bounds: Bounds.nullable(),
  updatedAt: Instant,
});
export type PackEvent = z.infer<typeof PackEvent>;

export const PackJson = z.strictObject({
  schemaVersion: z.literal(1),
  event: PackEvent,
  /** Products with frames, in the contract's order. */
  products: z.array(ProductId).min(1).max(10),
  latest: z.strictObject({ revisionId: PackRevisionId, sequence: PackSequence }),
  revisionCount: z.int().min(1),
});
export type PackJson = z.infer<typeof PackJson>;

export const SourcesLayer = z.strictObject({
  productId: ProductId,
  observedAt: Instant,
  frameId: z.string().regex(frameIdPattern),
  bounds: Bounds,
  /** Hash of the GRIB2 message after gunzip. */
  messageSha256: Sha256,
  sourceUrl: z.string(),
  sourceLastModified: Instant.exactOptional(),
  /** Hash of the source file, unchanged. */
  sourceSha256: Sha256.exactOptional(),
});
export type SourcesLayer = z.infer<typeof SourcesLayer>;

export const SourcesJson = z.strictObject({
  schemaVersion: z.literal(1),
  revisionId: PackRevisionId,
  sequence: PackSequence,
  observedAt: Instant,
  publishedAt: Instant,
  bounds: Bounds,
  manifestSha256: Sha256,
  layers: z.array(SourcesLayer).min(1).max(10),
});
export type SourcesJson = z.infer<typeof SourcesJson>;

/** Returns UTF-8 with the keys in the schema's order. */
export function toCanonicalJson<Value>(schema: z.ZodType<Value>, value: Value): Uint8Array {
  return Buffer.from(`${JSON.stringify(schema.parse(value), undefined, 2)}\n`, "utf8");
}

/** Parses a JSON file of an untrusted pack. @throws AppError `source-invalid` with its path */
export function parsePackFile<Value>(schema: z.ZodType<Value>, path: string, bytes: Uint8Array): Value {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw refusal(path, "It is not JSON in UTF-8.", error);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place =
    issue === undefined || issue.path.length === 0 ? "" : ` at ${showPath(issue.path.map(String).join("."))}`;
  throw refusal(
    path,
    `It does not match its schema${place}: ${showPath(issue?.message ?? "unknown fault")}.`,
  );
}
