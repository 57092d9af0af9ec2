// Reads a zone's request records, page by page, and its audit trail.
import * as z from "zod";
import { digits, oneOf } from "../../api/api-input.ts";
import { controlLimits } from "../gateway-limits.ts";
import type { RequestLog } from "../log/request-log.ts";
import type { Position } from "../log/record-store.ts";
import { toRecordWire } from "../log/request-record.ts";
import type { AuditEntry, ZoneSettings } from "../settings/zone-settings.ts";
import { instant, invalidInput, parseQuery, text, type ZoneRouteDraft } from "./zone-route.ts";

const limit = digits(1, controlLimits.pageLength).default(controlLimits.defaultPageLength);

const RecordParameters = z.object({
  since: instant.optional(),
  until: instant.optional(),
  host: text(1, 255).toLowerCase().optional(),
  category: text(1, 100).optional(),
  target: text(1, 4_096).optional(),
  limit,
  order: oneOf(["asc", "desc"]).default("desc"),
  cursor: text(0, 200).default(""),
});

const AuditParameters = z.object({ limit });

const Cursor = z.tuple([z.enum(["asc", "desc"]), z.int(), z.int().min(1)]);

export function createRecordDrafts(
  settings: ZoneSettings,
  log: Pick<RequestLog, "page">,
): readonly ZoneRouteDraft[] {
  return [
    {
      method: "GET",
      path: "/http_requests",
      async handle({ zone, query, signal }) {
        const { cursor, target, ...asked } = parseQuery(RecordParameters, query);
        const after = parseCursor(cursor, asked.order);
        const page = await log.page({ ...asked, zoneId: zone.id, targetPrefix: target, after, signal });
        return {
          result: page.records.map(toRecordWire),
          resultInfo: {
            count: page.records.length,
            per_page: asked.limit,
            cursor: page.next === undefined ? "" : toCursor(page.next, asked.order),
          },
        };
      },
    },
    {
      method: "GET",
      path: "/audit",
      async handle({ zone, query }) {
        const { limit } = parseQuery(AuditParameters, query);
        return { result: (await settings.audit(zone.id, limit)).map(toAuditWire) };
      },
    },
  ];
}

function toCursor({ at, seq }: Position, order: "asc" | "desc"): string {
  return Buffer.from(JSON.stringify([order, at, seq])).toString("base64url");
}

/** Returns undefined for the first page: the variable of a script is still empty then. @throws ApiRefusal 400 */
function parseCursor(cursor: string, order: "asc" | "desc"): Position | undefined {
  if (cursor === "") return undefined;
  const parsed = Cursor.safeParse(decode(cursor));
  if (!parsed.success) throw invalidInput("The parameter cursor was not given by a list.");
  const [given, at, seq] = parsed.data;
  if (given !== order) throw invalidInput("The parameter cursor belongs to a list in another order.");
  return { at, seq };
}

/** Returns undefined if the cursor is not JSON in base64url. */
function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function toAuditWire({ at, actor, action, before, after }: AuditEntry) {
  return { at, actor, action, before: JSON.parse(before) as unknown, after: JSON.parse(after) as unknown };
}
