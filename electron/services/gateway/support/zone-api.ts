// The zone part behind a real API listener with real stores; all of it ends with the test.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { PlatformPermission } from "../../api/api-part.ts";
import { startTestApi, type TestApi } from "../../api/support/test-api.ts";
import type { Gateway } from "../gateway.ts";
import { openTestLog } from "./sample-records.ts";
import type { RequestLog } from "../log/request-log.ts";
import { openZoneSettings } from "../settings/open-zone-settings.ts";
import type { ZoneSettings } from "../settings/zone-settings.ts";
import type { Zone, ZonePlan } from "../zone.ts";
import { createZonePart } from "../control/create-zone-part.ts";

export function makeZone(id: string, plan: ZonePlan, customMetadata = true): Zone {
  return {
    ...{ id, plan, customMetadata },
    hosts: [`${id}.example`],
    publicOrigin: `https://${id}.example`,
    origin: { kind: "http", url: "http://127.0.0.1:1" },
    customHostnames: [
      { id: "ch1", hostname: `docs.${id}.example` },
      { id: "wild", hostname: `*.${id}.example` },
    ],
    ...{ singleRedirects: [], bulkRedirects: [] },
  };
}

export interface Envelope {
  readonly result: unknown;
  readonly success: boolean;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
  readonly result_info?: { readonly count: number; readonly per_page: number; readonly cursor: string };
}

export interface ZoneApi {
  readonly api: TestApi;
  readonly settings: ZoneSettings;
  readonly log: RequestLog;
  /** Like the listener's `ask`, with one token for all requests: making one takes time. */
  readonly ask: TestApi["ask"];
  /** Below `/client/v4`. */
  readonly call: (
    method: string,
    path: string,
    options?: { readonly json?: unknown; readonly permission?: PlatformPermission | "none" },
  ) => Promise<{ readonly status: number; readonly body: Envelope }>;
}

/** Zones `z1` (pro), `free`, and `plain` (business, without custom metadata). */
export async function startZoneApi(explain?: Gateway["explain"]): Promise<ZoneApi> {
  const directory = mkdtempSync(join(tmpdir(), "echotop-zones-"));
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  const settings = openZoneSettings({ directory, now: () => new Date() });
  onTestFinished(() => settings.close());
  const { log } = await openTestLog({ directory });
  const zones = [makeZone("z1", "pro"), makeZone("free", "free"), makeZone("plain", "business", false)];
  const part = createZonePart({ zones, settings, log, explain });
  const api = await startTestApi({ parts: [part] });
  const secrets = new Map<PlatformPermission, string>();
  const secretOf = (permission: PlatformPermission): string => {
    const secret = secrets.get(permission) ?? api.secretOf(permission);
    secrets.set(permission, secret);
    return secret;
  };
  const ask: TestApi["ask"] = (path, permission = "zone-settings:edit", init = {}) =>
    api.ask(path, "none", {
      ...init,
      headers: permission === "none" ? {} : { authorization: `Bearer ${secretOf(permission)}` },
    });
  return {
    ...{ api, settings, log, ask },
    async call(method, path, { json, permission = "zone-settings:edit" } = {}) {
      const body = json === undefined ? {} : { body: JSON.stringify(json) };
      const response = await ask(`/client/v4${path}`, permission, { method, ...body });
      return { status: response.status, body: (await response.json()) as Envelope };
    },
  };
}
