// The host under attack: every listener is open, also those for other machines, and the gateway has a trusted proxy.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startHost, type RunningHost } from "../../electron/support/host-process.ts";
import { prepareDataDirectory, preparedEventId } from "../../electron/support/prepared-data.ts";
import { startScriptedOrigin } from "../../electron/support/scripted-origin.ts";
import { toPath } from "../../shared/contract/operations.ts";
import type { HonestTarget } from "./honest-client.ts";
import { findFreePort } from "../support/free-port.ts";

export interface FloodTarget extends HonestTarget {
  readonly name: string;
  /** Address of the attacker. */
  readonly from: string;
}

export interface FloodedHost {
  readonly pid: number;
  readonly targets: readonly FloodTarget[];
  readonly stop: () => Promise<void>;
}

const stranger = "127.0.0.2";
const proxy = "127.0.0.3";
const ownAddress = "127.0.0.1";
const otherName = "storm.example";
const site = "brief.example";

/** Creates the directory. */
export async function startFloodedHost(directory: string): Promise<FloodedHost> {
  const data = join(directory, "data");
  const config = join(directory, "echotop.json");
  mkdirSync(directory);
  await prepareDataDirectory(data);
  const origin = await startScriptedOrigin();
  origin.page("/page", `<!doctype html><title>A page</title><p>${"Text. ".repeat(500)}</p>`);
  const lanPort = await findFreePort();
  writeFileSync(config, JSON.stringify(toConfig(origin.url, lanPort)));
  // Every address of this machine, as for other machines.
  const host = await startHost(data, ["--config", config, "--host", "0.0.0.0", "--host-name", otherName]);
  return {
    pid: host.process.pid!,
    targets: listTargets(host, lanPort),
    async stop() {
      await host.stop();
      await origin.stop();
    },
  };
}

function toConfig(origin: string, lanPort: number) {
  const lan = { on: true, address: "127.0.0.1", port: lanPort, host_names: ["127.0.0.1"] };
  const zone = { id: "z1", hosts: [site], public_origin: `https://${site}`, origin };
  return {
    compatibility_date: "2026-11-20",
    repositories: { port: 0, lan },
    gateway: { port: 0, trusted_proxies: [`${proxy}/32`], zones: [zone] },
  };
}

function listTargets({ origin, api, gateway }: RunningHost, lanPort: number): FloodTarget[] {
  const manifest = toPath("getLatestManifest", { eventId: preparedEventId });
  const [stormPort, apiPort, gatewayPort] = [origin, api!, gateway!].map((url) => Number(new URL(url).port));
  const storm = {
    port: stormPort!,
    isTls: false,
    host: `127.0.0.1:${stormPort}`,
    path: manifest,
    status: 200,
  };
  const page = { port: gatewayPort!, isTls: false, host: site, path: "/page", status: 200 };
  // Without a token, a repository is not shown.
  const git = { path: "/git/events/none.git/info/refs?service=git-upload-pack", status: 401 };
  const toOwn = (port: number, isTls: boolean) => ({ port, isTls, host: `127.0.0.1:${port}` });
  const others: Omit<FloodTarget, "mayConnect">[] = [
    { name: "storm, another machine", from: stranger, ...storm, host: `${otherName}:${stormPort}` },
    { name: "API", from: stranger, ...toOwn(apiPort!, false), ...git },
    { name: "API for other machines", from: stranger, ...toOwn(lanPort, true), ...git },
    { name: "gateway", from: stranger, ...page },
    { name: "gateway, a trusted proxy", from: proxy, ...page },
  ];
  return [
    { name: "storm, the viewer's address", from: ownAddress, ...storm, mayConnect: false },
    ...others.map((target) => ({ ...target, mayConnect: true })),
  ];
}
