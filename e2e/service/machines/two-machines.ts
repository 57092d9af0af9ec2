// A service of two machines, set up as the administrator's guide says, and what it needs around it: a bucket, and a
// name that viewers resolve.
import { createServer, connect, type Server } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { startTestBucket } from "../../../electron/catalog/objects/support/test-bucket.ts";
import { cephGateway } from "../../../electron/support/engines/ceph-gateway.ts";
import { areInstalled } from "../../../electron/support/engines/engine-parts.ts";
import { swiftServers } from "../../../electron/support/engines/swift-servers.ts";
import {
  makeTemporaryDirectory,
  projectRoot,
  removeDirectory,
} from "../../../electron/support/host-process.ts";
import { readBlocks, type GuideBlock } from "./guide.ts";
import { siteNeeds, startSite, type Machine, type Site } from "./site.ts";

export interface TwoMachines {
  readonly site: Site;
  readonly db1: Machine;
  readonly db2: Machine;
  /** Answers to the guide's command: a line with the access key of the bucket, and one with the secret. */
  readonly keys: string;
  /** Runs a block of the guide on its machines, one after the other. */
  readonly follow: (block: GuideBlock, input?: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

const objectEngine = [cephGateway, swiftServers].find(({ isInstalled }) => isInstalled());
const programs = ["haproxy", "openssl", "pg_createcluster", "pg_ctlcluster", "curl", "ip", "nsenter"];

/** Empty if the guide can be followed here, else what is missing, for the name of a suite. */
export const twoMachinesNeeds = siteNeeds || findMissing();

function findMissing(): string {
  if (!areInstalled(programs)) return " (needs: apt-get install postgresql-15 haproxy openssl curl iproute2)";
  return objectEngine ? "" : ` (needs: ${cephGateway.install})`;
}

/** Begins with two bare machines and a bucket. `older` is the folder of the program that the setup uses. */
export async function startTwoMachines(older: string = projectRoot): Promise<TwoMachines> {
  const folder = makeTemporaryDirectory("machines");
  const bucket = await startTestBucket(objectEngine!);
  const path = join(folder, "s3.sock");
  const passing = passOn(path, Number(new URL(bucket.proxy.endpoint).port));
  const site = await startSite(["db1", "db2"], older);
  const relay = site.startProgram([
    join(projectRoot, "e2e", "service", "machines", "inside", "relay.ts"),
    ...["192.0.2.3", "7480", path],
  ]);
  await once(relay, "message");
  const [db1, db2] = site.machines;
  return {
    ...{ site, db1, db2 },
    keys: `${bucket.server.accessKeyId}\n${bucket.server.secretAccessKey}\n`,
    follow: async ({ machines, script }, input) => {
      const texts: string[] = [];
      for (const machine of site.machines.filter(({ name }) => machines.includes(name))) {
        const { status, text } = await machine.run(script, input);
        if (status !== 0) throw new Error(`${machine.name} ended with ${status}:\n${script}\n${text}`);
        texts.push(text);
      }
      return texts.join("");
    },
    stop: async () => {
      relay.kill();
      await site.stop();
      passing.close();
      await bucket.close();
      removeDirectory(folder);
    },
  };
}

/** Makes a folder the source instead of NOAA's bucket, and looks at it each second. */
const replaceSource = `
sed -i 's|--feed noaa|--feed folder:/srv/mrms --feed-event live|' /etc/echotop/feed.env
sed -i 's|"roles"|"feed": { "poll_seconds": 1, "pair_wait_seconds": 0 }, "roles"|' /etc/echotop/feed.json
`;

/** Follows the setup of the guide, each block as `change` returns it. Returns the output of the commands. */
export async function setUp(
  { follow, keys, site }: TwoMachines,
  change: (block: GuideBlock) => GuideBlock = (block) => block,
): Promise<string> {
  const headings = ["1. Packages and names", "2. Certificates and secrets", "3. PostgreSQL", "4. Echotop"];
  let said = "";
  for (const block of headings.flatMap(readBlocks)) {
    if (block.script.includes("enable --now")) {
      for (const machine of site.machines) await machine.run(replaceSource);
    }
    said += await follow(change(block), block.script.includes("read -r") ? keys : "");
  }
  return said;
}

function passOn(path: string, port: number): Server {
  return createServer((client) => {
    const target = connect(port, "127.0.0.1");
    client.pipe(target).pipe(client);
    client.on("error", () => target.destroy());
    target.on("error", () => client.destroy());
  }).listen(path);
}
