// The settings of a zone as the database has them: one JSON document, which is replaced as a whole.
import * as z from "zod";
import { AppError } from "../../../../shared/app-error.ts";
import { StoredMetadata } from "../settings/stored-metadata.ts";
import type { ZoneState } from "../settings/zone-state.ts";

const Rule = z.object({
  ...{ id: z.string(), version: z.string(), ref: z.string(), expression: z.string() },
  ...{ description: z.string(), enabled: z.boolean(), redirectsForAiTraining: z.boolean() },
  lastUpdated: z.string(),
});

const ZoneDocument = z.object({
  feature: z.object({ value: z.enum(["on", "off"]), modifiedOn: z.string().nullable() }),
  ruleset: z.object({ version: z.string(), lastUpdated: z.string().nullable(), rules: z.array(Rule) }),
  /** Pairs, because an object would lose the order of keys such as "1". */
  metadata: z.array(z.tuple([z.string(), StoredMetadata])),
});

export function toDocument({ feature, ruleset, metadata }: ZoneState): string {
  return JSON.stringify({ feature, ruleset, metadata: [...metadata] });
}

/** @throws AppError `stored-data-invalid` */
export function parseDocument(text: string): ZoneState {
  try {
    const { feature, ruleset, metadata } = ZoneDocument.parse(JSON.parse(text));
    return { feature, ruleset, metadata: new Map(metadata) };
  } catch (error) {
    throw new AppError("stored-data-invalid", "The gateway's settings in the database are damaged.", {
      cause: error,
    });
  }
}
