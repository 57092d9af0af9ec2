// A real OpenStack Swift for tests, behind its S3 layer: one proxy, account, container and object server, one copy of
// everything. Its folder must be on a file system with extended attributes.
import { mkdirSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { areInstalled, createEngineParts, findFreePorts, type EngineParts } from "./engine-parts.ts";
import type { ObjectEngine, ObjectServer } from "./object-server.ts";

export const swiftServers: ObjectEngine = {
  name: "OpenStack Swift's S3 layer",
  install:
    "apt-get install --no-install-recommends swift-proxy swift-account swift-container swift-object memcached",
  isInstalled: () => areInstalled([...kinds.map((kind) => `swift-${kind}-server`), "memcached", "setpriv"]),
  start: startSwift,
};

/** Those that keep bytes first. */
const kinds = ["object", "container", "account", "proxy"] as const;
type Kind = (typeof kinds)[number];
type Ports = Readonly<Record<Kind | "memcached", number>>;

const secretAccessKey = "echotop-test-secret";

async function startSwift(): Promise<ObjectServer> {
  const parts = createEngineParts("swift");
  try {
    const names = [...kinds, "memcached"];
    const free = await findFreePorts(names.length);
    const ports = Object.fromEntries(names.map((name, index) => [name, free[index]])) as Ports;
    await prepare(parts, ports);
    const restart = async (part: string): Promise<void> => {
      parts.launch(part, `swift-${part}-server`, [join(parts.folder, `${part}-server.conf`)]);
      await parts.waitForPort(part, ports[part as Kind]);
    };
    const memory = ["-l", "127.0.0.1", "-p", `${ports.memcached}`, "-u", userInfo().username];
    parts.launch("memcached", "memcached", memory);
    await Promise.all([parts.waitForPort("memcached", ports.memcached), ...kinds.map(restart)]);
    return {
      endpoint: `http://127.0.0.1:${ports.proxy}`,
      region: "us-east-1",
      accessKeyId: "echotop:tester",
      secretAccessKey,
      parts: kinds,
      kill: parts.kill,
      restart,
      stop: parts.stop,
    };
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

/** Makes rings of one partition and one device each, in the Python that has Swift. */
const ringProgram = `
import sys
from swift.common.ring import RingBuilder
for kind, port in zip(sys.argv[1::2], sys.argv[2::2]):
    builder = RingBuilder(1, 1, 0)
    builder.add_dev({"id": 0, "region": 1, "zone": 1, "weight": 1, "device": "d1",
        "ip": "127.0.0.1", "port": int(port), "replication_ip": "127.0.0.1", "replication_port": int(port), "meta": ""})
    builder.rebalance()
    builder.get_ring().save(kind + ".ring.gz")
`;

async function prepare({ folder, run }: EngineParts, ports: Ports): Promise<void> {
  mkdirSync(join(folder, "devices", "d1"), { recursive: true });
  for (const kind of kinds)
    writeFileSync(join(folder, `${kind}-server.conf`), configurationOf(folder, kind, ports));
  const hash = "[swift-hash]\nswift_hash_path_suffix = echotop\nswift_hash_path_prefix = echotop\n";
  writeFileSync(join(folder, "swift.conf"), `${hash}[storage-policy:0]\nname = one\ndefault = yes\n`);
  const rings = (["account", "container", "object"] as const).flatMap((kind) => [kind, `${ports[kind]}`]);
  await run("rings", "/usr/bin/python3", ["-c", ringProgram, ...rings]);
}

function configurationOf(folder: string, kind: Kind, ports: Ports): string {
  const common = `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${ports[kind]}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
log_level = WARNING
`;
  if (kind !== "proxy") {
    return `${common}recon_cache_path = ${folder}
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
recon_cache_path = ${folder}
`;
  }
  return `${common}
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# Seconds in which a part that was killed is not asked.
error_suppression_interval = 1
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${ports.memcached}
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
allow_multipart_uploads = false
[filter:tempauth]
use = egg:swift#tempauth
user_echotop_tester = ${secretAccessKey} .admin
`;
}
