// A real Ceph for tests: one monitor, one OSD and one RADOS gateway. One copy of everything, no authentication inside
// the cluster: no place for data.
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { areInstalled, createEngineParts, findFreePorts, type EngineParts } from "./engine-parts.ts";
import type { ObjectEngine, ObjectServer } from "./object-server.ts";

export const cephGateway: ObjectEngine = {
  name: "Ceph's gateway",
  install: "apt-get install --no-install-recommends ceph-mon ceph-osd radosgw",
  isInstalled: () =>
    areInstalled(["ceph-mon", "ceph-osd", "radosgw", "radosgw-admin", "ceph", "monmaptool", "setpriv"]),
  start: startCeph,
};

const accessKeyId = "echotop-test";
const secretAccessKey = "echotop-test-secret";

async function startCeph(): Promise<ObjectServer> {
  const parts = createEngineParts("ceph");
  try {
    const [gatewayPort, monitorPort] = (await findFreePorts(2)) as [number, number];
    const launch = await makeCluster(parts, { gatewayPort, monitorPort });
    const restart = async (part: string): Promise<void> => {
      launch(part);
      if (part === "rgw") await parts.waitForPort("rgw", gatewayPort);
    };
    await restart("rgw");
    return {
      endpoint: `http://127.0.0.1:${gatewayPort}`,
      region: "us-east-1",
      accessKeyId,
      secretAccessKey,
      parts: ["osd", "rgw"],
      kill: parts.kill,
      restart,
      stop: parts.stop,
    };
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

interface Ports {
  readonly gatewayPort: number;
  readonly monitorPort: number;
}

/** Starts monitor and OSD, and creates the user. Returns the function that launches a part. */
async function makeCluster(parts: EngineParts, ports: Ports): Promise<(part: string) => void> {
  const { folder, run } = parts;
  const file = join(folder, "ceph.conf");
  const [cluster, device] = [randomUUID(), randomUUID()];
  for (const name of ["mon", "osd", "run"]) mkdirSync(join(folder, name));
  writeFileSync(file, configurationOf(folder, cluster, ports));
  const programs: Readonly<Record<string, readonly [string, ...string[]]>> = {
    mon: ["ceph-mon", "-i", "a"],
    osd: ["ceph-osd", "-i", "0"],
    rgw: ["radosgw", "-n", "client.rgw"],
  };
  const launch = (part: string): void => {
    const [program, ...args] = programs[part]!;
    parts.launch(part, program, ["-c", file, ...args, "-f"]);
  };

  const map = join(folder, "monmap");
  const address = `[v2:127.0.0.1:${ports.monitorPort}]`;
  await run("monmap", "monmaptool", ["--create", "--addv", "a", address, "--fsid", cluster, map]);
  await run("mon-mkfs", "ceph-mon", ["-c", file, "--mkfs", "-i", "a", "--monmap", map]);
  launch("mon");
  await run("osd-new", "ceph", ["-c", file, "osd", "new", device]);
  await run("osd-mkfs", "ceph-osd", ["-c", file, "-i", "0", "--mkfs", "--osd-uuid", device]);
  launch("osd");
  const user = ["--uid=echotop", "--display-name=echotop"];
  const keys = [`--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`];
  await run("user", "radosgw-admin", ["-c", file, "-n", "client.rgw", "user", "create", ...user, ...keys]);
  return launch;
}

function configurationOf(folder: string, cluster: string, { gatewayPort, monitorPort }: Ports): string {
  return `[global]
fsid = ${cluster}
mon_host = v2:127.0.0.1:${monitorPort}
mon_initial_members = a
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
ms_mon_client_mode = crc
ms_bind_ipv6 = false
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
# Pools are made one proposal after the other.
paxos_propose_interval = 0.05
paxos_min_wait = 0.01
run_dir = ${folder}/run
admin_socket = ${folder}/run/$name.$pid.asok
log_file = ${folder}/log/$name.log
crash_dir = ${folder}/run
pid_file = ${folder}/run/$name.pid
[mon.a]
mon_data = ${folder}/mon
host = localhost
mon_addr = 127.0.0.1
[osd.0]
osd_data = ${folder}/osd
osd_objectstore = bluestore
# A sparse file.
bluestore_block_size = 4294967296
bluestore_block_create = true
bluestore_cache_autotune = false
bluestore_cache_size = 67108864
host = localhost
[client.rgw]
rgw_frontends = beast endpoint=127.0.0.1:${gatewayPort}
rgw_thread_pool_size = 16
rgw_enable_usage_log = false
rgw_enable_ops_log = false
rgw_enable_gc_threads = false
rgw_enable_lc_threads = false
rgw_run_sync_thread = false
rgw_dynamic_resharding = false
`;
}
