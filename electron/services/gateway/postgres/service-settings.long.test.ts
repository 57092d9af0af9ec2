// The settings of a service, which several gateways share: the contract of all settings, changes that meet, and a
// database that goes away.
import { describe, expect, onTestFinished, test } from "vitest";
import { createServiceTrial } from "../../../catalog/postgres/support/service-trial.ts";
import type { LogLevel } from "../../../platform/effects.ts";
import { openDatabase, type Database } from "../../../platform/postgres/database.ts";
import { usePostgres } from "../../../platform/postgres/support/test-server.ts";
import { hasPostgres, postgresNeeds } from "../../../support/engines/postgres-programs.ts";
import { startRelay, type Relay } from "../../../support/engines/relay.ts";
import type { ZoneSettings } from "../settings/zone-settings.ts";
import { ruleDraft, settingsContract } from "../support/settings-contract.ts";
import { eventually } from "../support/sample-records.ts";
import { createSettingsPlace } from "../support/service-places.ts";
import { openServiceSettings } from "./service-settings.ts";

describe.skipIf(!hasPostgres)(`PostgreSQL${postgresNeeds}`, () => {
  const server = usePostgres();

  settingsContract("a service", () => createSettingsPlace(server()));

  interface Gateway {
    readonly settings: ZoneSettings;
    readonly said: readonly string[];
  }

  /** Opens the settings as gateways of one service; each may have a relay of its own before the database. */
  async function createGateways(): Promise<{
    readonly database: Database;
    readonly start: (relay?: Relay) => Promise<Gateway>;
  }> {
    const { url, database } = await createServiceTrial(server());
    const start = async (relay?: Relay): Promise<Gateway> => {
      const port = String(relay?.port ?? server().port);
      const own = await openDatabase({
        url: url.replace(String(server().port), port),
        patienceMs: { read: 1_000, transact: 1_000 },
      });
      onTestFinished(() => own.close());
      const said: string[] = [];
      const settings = await openServiceSettings(own, (level: LogLevel, message) =>
        said.push(`${level}: ${message}`),
      );
      onTestFinished(() => settings.close());
      return { settings, said };
    };
    return { database, start };
  }

  async function startTestRelay(): Promise<Relay> {
    const relay = await startRelay(server().port);
    onTestFinished(() => relay.close());
    return relay;
  }

  test("a database that was not migrated is refused with what to do", async () => {
    const { start, database } = await createGateways();
    await database.transact("durable", ({ execute }) => execute("DROP TABLE gateway_state"));
    await expect(start()).rejects.toThrow("lacks a table of this version: run echotop migrate");
  });

  test("a change at one gateway arrives at the other", async () => {
    const { start } = await createGateways();
    const [{ settings: a }, { settings: b }] = [await start(), await start()];
    await a.setFeature("z1", "on", "t");
    await eventually(() => b.setting("z1").value).toBe("on");
    await b.replaceRules("z1", [ruleDraft("ssl")], "t");
    await eventually(() => a.ruleset("z1")).toEqual(b.ruleset("z1"));
    expect([a.revision(), b.revision()]).toEqual([2, 2]);
    expect(await a.audit("z1", 10)).toEqual(await b.audit("z1", 10));
  });

  test("a change arrives all the same where no notification does", async () => {
    const { start } = await createGateways();
    const relay = await startTestRelay();
    relay.watch((bytes) => !bytes.includes("LISTEN"));
    const [{ settings: a }, { settings: deaf }] = [await start(), await start(relay)];
    await a.setFeature("z1", "on", "t");
    const startMs = performance.now();
    await eventually(() => deaf.setting("z1").value).toBe("on");
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  test("the control plane of one gateway reads what that of another has just written", async () => {
    const { start } = await createGateways();
    const [{ settings: a }, { settings: b }] = [await start(), await start()];
    for (let round = 0; round < 20; round += 1) {
      const { version } = await a.replaceRules("z1", [ruleDraft("ssl")], "t");
      await b.refresh();
      expect(b.ruleset("z1").version).toBe(version);
    }
  });

  test("changes that meet follow each other, and none is lost", async () => {
    const { start } = await createGateways();
    const gateways = await Promise.all([start(), start(), start()]);
    const rounds = 8;
    await Promise.all(
      gateways.flatMap(({ settings }, at) =>
        Array.from({ length: rounds }, async (_, round) => {
          await settings.setMetadata("z1", `ch${at}-${round}`, { of: String(at) }, "t");
          await settings.replaceRules(
            "z1",
            [ruleDraft("ssl", { ref: "one", description: `${at} ${round}` })],
            "t",
          );
        }),
      ),
    );
    const changes = gateways.length * rounds;
    const states = await Promise.all(
      gateways.map(async ({ settings }) => {
        await settings.refresh();
        return { ...settings.ruleset("z1"), revision: settings.revision() };
      }),
    );
    expect(states[0]).toMatchObject({ version: String(changes), revision: 2 * changes });
    expect(states[0]!.rules[0]!.version).toBe(String(changes));
    for (const state of states) expect(state).toEqual(states[0]);
    for (let at = 0; at < gateways.length; at += 1)
      for (let round = 0; round < rounds; round += 1)
        expect(gateways[0].settings.metadata("z1", `ch${at}-${round}`)).toEqual({ of: String(at) });
    // Each change began with what the one before it had left.
    const audit = (await gateways[0].settings.audit("z1", 1_000)).filter(({ action }) => action === "rules");
    expect(audit).toHaveLength(changes);
    const toRules = (text: string): unknown => JSON.parse(text);
    for (const [at, { before }] of audit.slice(0, -1).entries())
      expect(toRules(before)).toEqual(toRules(audit[at + 1]!.after));
    expect(toRules(audit[0]!.after)).toEqual(states[0]!.rules);
  });

  test("a change whose commit is not answered is made once", async () => {
    const { start } = await createGateways();
    const relay = await startTestRelay();
    const { settings } = await start(relay);
    let commits = 0;
    relay.watch((bytes) => {
      if (!bytes.includes("COMMIT")) return true;
      commits += 1;
      // The server gets it, and its answer is lost.
      if (commits === 1) setImmediate(relay.cut);
      return true;
    });
    const { version } = await settings.replaceRules("z1", [ruleDraft("ssl")], "t");
    expect([version, commits]).toEqual(["1", 2]);
    expect(await settings.audit("z1", 10)).toHaveLength(1);
  });

  test("without the database, the settings stay in effect, changes are refused, and both are over afterwards", async () => {
    const { start } = await createGateways();
    const { settings, said } = await start();
    await settings.setFeature("z1", "on", "t");
    await server().kill();
    await eventually(() => settings.isCurrent()).toBe(false);
    const unavailable = { code: "storage-unavailable" };
    await expect(settings.setFeature("z1", "off", "t")).rejects.toMatchObject(unavailable);
    await expect(settings.refresh()).rejects.toMatchObject(unavailable);
    await expect(settings.audit("z1", 1)).rejects.toMatchObject(unavailable);
    expect(settings.setting("z1").value).toBe("on");
    await server().start();
    await eventually(() => settings.isCurrent()).toBe(true);
    await settings.setFeature("z1", "off", "t");
    expect(settings.setting("z1").value).toBe("off");
    expect(said).toEqual([
      "error: The gateway's settings cannot be read; it continues with those it has.",
      "info: The gateway's settings are read again.",
    ]);
  });
});
