// The settings of zones in the database of a service. Every gateway holds all of them in memory. A change locks the one
// row of `gateway_state`, plans from the stored state, and gives the settings their next revision, so none is lost and
// all gateways see the same order. A notification makes the others look; a poll finds what it missed.
import { randomUUID } from "node:crypto";
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import type { Log } from "../../../platform/effects.ts";
import { CommitUnknownError } from "../../../platform/postgres/database-error.ts";
import type { Database, Session } from "../../../platform/postgres/database.ts";
import { controlLimits, serviceLimits } from "../gateway-limits.ts";
import { createZoneSettings, type SettingsEngine } from "../settings/settings-engine.ts";
import type { Actor, AuditEntry, ZoneSettings } from "../settings/zone-settings.ts";
import { neverChanged, planChange, type ZoneChange, type ZoneState } from "../settings/zone-state.ts";
import { parseDocument, toDocument } from "./zone-document.ts";

const channel = "echotop_gateway";

/** All settings at one moment. */
interface Loaded {
  readonly revision: number;
  readonly zones: ReadonlyMap<string, ZoneState>;
}

interface LoadedRow {
  readonly revision: number;
  /** Null if there is no zone. */
  readonly zone: string | null;
  readonly document: string | null;
}

interface AuditRow extends Omit<AuditEntry, "at" | "zoneId"> {
  readonly zone: string;
  readonly at: number;
}

/** Closing them leaves the database open. @throws AppError as the database does; `stored-data-invalid` */
export async function openServiceSettings(database: Database, log: Log): Promise<ZoneSettings> {
  let held: Loaded = { revision: -1, zones: new Map() };
  let isCurrent = true;

  /** `since` is the revision in memory when the reading began: a late one must not undo a newer one. */
  const hold = (loaded: Loaded | undefined, since: number): void => {
    if (loaded && (held.revision === since || loaded.revision > held.revision)) held = loaded;
    if (!isCurrent) log("info", "The gateway's settings are read again.");
    isCurrent = true;
  };
  const refresh = async (): Promise<void> => {
    const { revision } = held;
    try {
      hold(await load(database.read, revision), revision);
    } catch (error) {
      if (isCurrent)
        log("error", "The gateway's settings cannot be read; it continues with those it has.", { error });
      isCurrent = false;
      throw error;
    }
  };
  await refresh();
  const watch = startWatch(database, refresh);
  const engine: SettingsEngine = {
    find: (zoneId) => held.zones.get(zoneId) ?? neverChanged,
    async change(zoneId, change, actor) {
      const since = held.revision;
      const loaded = await write(database, { zoneId, change, actor });
      hold(loaded, since);
      return loaded.zones.get(zoneId)!;
    },
    audit: async (zoneId, limit) => {
      const rows = await database.read<AuditRow>(
        "SELECT zone, at, actor, action, before, after FROM gateway_audit WHERE zone = $1 ORDER BY id DESC LIMIT $2",
        [zoneId, limit],
      );
      return rows.map(({ zone, at, ...entry }) => ({ ...entry, zoneId: zone, at: toIso(at) }));
    },
    revision: () => held.revision,
    refresh,
    isCurrent: () => isCurrent,
    close: watch.close,
  };
  return createZoneSettings(engine);
}

/** Reads all settings with one statement; undefined if they still have the known revision. */
async function load(query: Session["query"], known: number): Promise<Loaded | undefined> {
  const rows = await query<LoadedRow>(
    `SELECT s.revision, z.zone, z.document FROM gateway_state s LEFT JOIN gateway_zones z ON TRUE
      WHERE s.revision <> $1`,
    [known],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const zones = rows.flatMap(({ zone, document }) =>
    zone === null || document === null ? [] : [[zone, parseDocument(document)] as const],
  );
  return { revision: first.revision, zones: new Map(zones) };
}

interface Draft {
  readonly zoneId: string;
  readonly change: ZoneChange;
  readonly actor: Actor;
}

const mostAttempts = 3;

/** Writes a change, once also if the answer to its commit is lost. Returns the settings right after it. */
async function write(database: Database, draft: Draft): Promise<Loaded> {
  const name = randomUUID();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transact("durable", ({ query }) => writeOnce(query, draft, name));
    } catch (error) {
      if (!(error instanceof CommitUnknownError) || attempt === mostAttempts) throw error;
    }
  }
}

async function writeOnce(
  query: Session["query"],
  { zoneId, change, actor }: Draft,
  name: string,
): Promise<Loaded> {
  const [state] = await query<{ revision: number; now: number }>(
    "UPDATE gateway_state SET revision = revision + 1 RETURNING revision, catalog_clock() AS now",
  );
  const [row] = await query<{ document: string }>("SELECT document FROM gateway_zones WHERE zone = $1", [
    zoneId,
  ]);
  const written = await query("SELECT 1 FROM gateway_audit WHERE name = $1", [name]);
  if (written.length === 0) {
    const at = toIso(state!.now);
    const { after, audited } = planChange(row ? parseDocument(row.document) : neverChanged, change, at);
    await query(
      `INSERT INTO gateway_zones (zone, document) VALUES ($1, $2)
        ON CONFLICT (zone) DO UPDATE SET document = excluded.document`,
      [zoneId, toDocument(after)],
    );
    await query(
      "INSERT INTO gateway_audit (name, zone, at, actor, action, before, after) VALUES ($1, $2, $3, $4, $5, $6, $7)",
      [name, zoneId, state!.now, actor, change.action, audited.before, audited.after],
    );
    await query(
      `DELETE FROM gateway_audit WHERE zone = $1 AND id <=
        (SELECT id FROM gateway_audit WHERE zone = $1 ORDER BY id DESC LIMIT 1 OFFSET ${controlLimits.auditEntries})`,
      [zoneId],
    );
    await query(`SELECT pg_notify('${channel}', '')`);
  }
  const loaded = await load(query, -1);
  if (loaded === undefined) throw new AppError("stored-data-invalid", "The gateway's settings are missing.");
  return loaded;
}

/** Refreshes after each hint, and from time to time. */
function startWatch(database: Database, refresh: () => Promise<void>): { close: () => Promise<void> } {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isClosed = false;
  const run = async (): Promise<void> => {
    while (isWanted && !isClosed) {
      isWanted = false;
      try {
        await refresh();
      } catch (error) {
        // It has been reported; the next poll tries again.
        if (!isAppError(error)) throw error;
      }
    }
    running = undefined;
  };
  const look = (): void => {
    isWanted = true;
    running ??= run();
  };
  const timer = setInterval(look, serviceLimits.pollMs).unref();
  const listening = database.listen({ channel, onHint: look });
  return {
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await listening.close();
      await running;
    },
  };
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
