// The administrator's guide, followed word for word on two bare machines, with real programs. What a namespace cannot
// have is replaced: systemd's `systemctl` by a program that runs the units as they say, `apt-get` by a check that the
// packages are here, `scp` by a copy, and NOAA's bucket by a folder.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { areInstalled } from "../../../electron/support/engines/engine-parts.ts";
import { askDatabase, listRevisions, untilFollowed } from "./ask-database.ts";
import { exchange, guide, readBlocks } from "./guide.ts";
import { startSupply, type StormSupply } from "./storm-supply.ts";
import { setUp, startTwoMachines, twoMachinesNeeds, type TwoMachines } from "./two-machines.ts";

const patience = { timeout: 60_000, interval: 100 };

describe.skipIf(twoMachinesNeeds !== "")(`the administrator's guide${twoMachinesNeeds}`, () => {
  let two: TwoMachines;
  let supply: StormSupply;
  beforeAll(async () => {
    two = await startTwoMachines();
    supply = startSupply(two.site.sharedFolder);
  });
  afterAll(async () => {
    supply.stop();
    await two.stop();
  });

  const countRevisions = async (): Promise<number> => {
    const answer = await two.db2.run("curl -s http://192.0.2.12:47809/metrics");
    return Number(/^echotop_event_newest_sequence\{event="live"\} (\d+)$/m.exec(answer.text)?.[1] ?? 0);
  };
  const untilPublished = async (more: number): Promise<void> => {
    const before = await countRevisions();
    await expect.poll(countRevisions, patience).toBeGreaterThanOrEqual(before + more);
  };

  test("leads from bare machines to a service", { timeout: 300_000 }, async () => {
    const said = await setUp(two);
    expect(said.match(/"status":"ready","catalog":"available"/g)).toHaveLength(2);
    await untilFollowed(two.db1, two.db2);
    await untilPublished(3);
    for (const machine of two.site.machines) {
      const address = machine === two.db1 ? "192.0.2.11" : "192.0.2.12";
      const asViewer = `curl -s --cacert /etc/echotop/ca.crt --resolve wx.example:443:${address}`;
      const { text } = await machine.run(`${asViewer} https://wx.example/v1/storm-events`);
      expect(JSON.parse(text)).toMatchObject({ events: [{ id: "live", status: "active" }] });
    }
  });

  test.skipIf(!areInstalled(["systemd-analyze"]))("has files that their programs accept", async () => {
    for (const machine of two.site.machines) {
      const checks =
        "systemd-analyze verify echotop@reader.service; haproxy -q -c -f /etc/haproxy/haproxy.cfg";
      expect(await machine.run(checks)).toEqual({ status: 0, text: "" });
    }
  });

  test("names the ports that are open, and no others", async () => {
    const named = [...guide.matchAll(/^\| (\d+) +\| /gm)].map(([, port]) => Number(port));
    for (const machine of two.site.machines) {
      const { text } = await machine.run("ss --listening --tcp --numeric --no-header");
      const open = text.matchAll(/^LISTEN +\d+ +\d+ +\S+:(\d+)/gm);
      expect(new Set([...open].map(([, port]) => Number(port)))).toEqual(new Set(named));
    }
  });

  test("keeps the secrets out of logs and the list of processes, and readable to nobody else", async () => {
    for (const machine of two.site.machines) {
      const { text: secrets } = await machine.run("cat /etc/echotop/secrets.env /etc/echotop/pgpass");
      const values = secrets.match(/[\da-f]{48}|(?<=SECRET_ACCESS_KEY=).*/g)!;
      expect(values).toHaveLength(3);
      const { text: shown } = await machine.run(
        "ps axww -o args; cat /var/log/*@*.log /var/log/postgresql/*-main.log",
      );
      for (const value of values) expect(shown).not.toContain(value);
      const kept = await machine.run(
        "find /etc/echotop /etc/haproxy -perm /077 '(' -name '*.key' -o -name '*.pem' -o -name secrets.env -o -name pgpass ')'",
      );
      expect(kept.text).toBe("");
    }
  });

  test("brings the service through the loss of the database that follows", { timeout: 120_000 }, async () => {
    const { db1, db2, follow } = two;
    await db2.run("kill -9 $(head -1 /var/lib/postgresql/15/main/postmaster.pid)");
    const waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    await expect.poll(async () => Number(await askDatabase(db1, waiting)), patience).toBeGreaterThan(0);
    await follow(readBlocks("When a machine is lost")[0]!);
    await untilPublished(3);
    await db2.run("systemctl start postgresql@15-main");
    await follow(exchange(readBlocks("When the machine comes back")[1]!));
    await untilFollowed(db1, db2);
    await untilPublished(3);
  });

  test("makes a backup that brings the service back", { timeout: 240_000 }, async () => {
    const { db1, db2, follow } = two;
    const [backup, restoring, restarting] = readBlocks("Backup");
    const before = await listRevisions(db1);
    await follow(backup!);
    await untilPublished(2);
    supply.stop();
    for (const machine of [db1, db2]) {
      await machine.run("kill -9 $(head -1 /var/lib/postgresql/15/main/postmaster.pid)");
    }
    await db1.run("rm -r /var/lib/postgresql/15/main");
    await follow(restoring!);
    await follow(restarting!);
    // The feed finds again what the backup does not have.
    await expect.poll(async () => (await listRevisions(db2)).length, patience).toBe(supply.count());
    expect((await listRevisions(db2)).slice(0, before.length)).toEqual(before);
  });
});
