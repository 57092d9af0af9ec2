// The files for administrators, tried: haproxy's example in front of two readers of one directory, nginx's cache, and
// systemd's unit.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { Agent, get } from "node:https";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { ContractHost } from "../contract/contract-host.ts";
import { hasBalancer } from "../support/balancer.ts";
import { fillExample } from "../support/deploy-example.ts";
import { findFreePort } from "../support/free-port.ts";
import { hasNginx, untilAnswering } from "../support/nginx.ts";
import {
  makeTemporaryDirectory,
  removeDirectory,
  startHost,
  type RunningHost,
} from "../../electron/support/host-process.ts";
import { createCertificate, proxyName, type Certificate } from "./tls-proxy.ts";

const isInstalled = (program: string, flag: string): boolean =>
  spawnSync(program, [flag], { stdio: "ignore" }).error === undefined;

let directory: string;
beforeEach(() => {
  directory = makeTemporaryDirectory("deploy");
});
afterEach(() => {
  removeDirectory(directory);
});

function writeExample(...[name, values]: Parameters<typeof fillExample>): string {
  const path = join(directory, name);
  writeFileSync(path, fillExample(name, values));
  return path;
}

describe.skipIf(!hasBalancer)("two readers behind haproxy (install haproxy to run this)", () => {
  let certificate: Certificate;
  let port: number;
  let first: ContractHost;
  let second: RunningHost;
  let haproxy: ChildProcess;

  beforeEach(async () => {
    certificate = await createCertificate();
    port = await findFreePort();
    const configuration = {
      public_origin: `https://${proxyName}:${port}`,
      roles: ["reader"],
      admin: { port: 0 },
      drain_seconds: 3,
    };
    first = await ContractHost.start(configuration);
    const file = join(directory, "second.json");
    writeFileSync(file, JSON.stringify(configuration));
    second = await startHost(first.directory, ["--config", file]);
    const pem = join(directory, "proxy.pem");
    writeFileSync(pem, `${certificate.certificatePem}\n${certificate.keyPem}\n`);
    const portOf = (origin: string): string => new URL(origin).port;
    const config = writeExample("haproxy.cfg", [
      [":443 ssl", `127.0.0.1:${port} ssl`],
      ["/etc/haproxy/wx.example.pem", pem],
      [
        "192.0.2.11:47800 check port 47809",
        `${hostOf(first.origin)} check port ${portOf(first.host.admin!)}`,
      ],
      ["192.0.2.12:47800 check port 47809", `${hostOf(second.origin)} check port ${portOf(second.admin!)}`],
    ]);
    haproxy = spawn("haproxy", ["-q", "-f", config], { stdio: "ignore" });
    await untilAnswering("haproxy", haproxy, port);
    await expect.poll(async () => (await read("/v1/storm-events")).status).toBe(200);
  });
  afterEach(async () => {
    haproxy.kill("SIGKILL");
    await second.stop();
    await first.stop();
  });

  const toProxy = () => ({
    ca: certificate.certificatePem,
    servername: proxyName,
    host: "127.0.0.1",
    port,
  });
  const ours = () => ({ host: `${proxyName}:${port}`, origin: `https://${proxyName}:${port}` });

  function read(path: string, agent?: Agent): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      get({ ...toProxy(), path, headers: ours(), agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString("utf8") });
        });
      }).on("error", reject);
    });
  }

  /** Opens a stream once a reader takes it; notes the sequences that it hears of. */
  async function openStream() {
    const url = `wss://127.0.0.1:${port}/v1/storm-events/storm/stream`;
    const socket = new WebSocket(url, { ...toProxy(), headers: ours() });
    const heard: number[] = [];
    socket.on("message", (data: Buffer) => {
      const { sequence } = JSON.parse(data.toString("utf8")) as { sequence?: number };
      if (sequence !== undefined) heard.push(sequence);
    });
    const closed = once(socket, "close").then(([code]) => code as number);
    await once(socket, "open");
    return {
      heard,
      closed,
      end: () => {
        socket.terminate();
      },
    };
  }

  test("a notice reaches the streams of both, and what it names can be read from either", async () => {
    const streams = await Promise.all(Array.from({ length: 4 }, openStream));
    await first.publish("storm", { minutes: 0 });
    for (const { heard } of streams) await expect.poll(() => heard).toEqual([1]);
    const counts = await Promise.all([first.host.admin!, second.admin!].map(countStreams));
    expect(counts).toEqual([2, 2]);
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(JSON.parse((await read("/v1/storm-events/storm/manifest")).text)).toMatchObject({
        sequence: 1,
      });
    for (const { end } of streams) end();
  });

  test("a reader that drains costs no request, and its streams find the other one", async () => {
    await first.publish("storm", { minutes: 0 });
    const streams = await Promise.all(Array.from({ length: 4 }, openStream));
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const statuses: number[] = [];
    let isOver = false;
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) statuses.push((await read("/v1/storm-events/storm/revisions", agent)).status);
    });
    await expect.poll(() => statuses.length).toBeGreaterThan(50);
    const ended = once(second.process, "close");
    second.process.kill("SIGTERM");
    const codes = await Promise.all(streams.map(({ closed }) => Promise.race([closed, ended.then(() => 0)])));
    expect(codes.filter((code) => code === 1001)).toHaveLength(2);
    expect(await ended).toEqual([0, null]);
    const again = await openStream();
    await first.publish("storm", { minutes: 2 });
    await expect.poll(() => again.heard).toContain(2);
    const before = statuses.length;
    await expect.poll(() => statuses.length).toBeGreaterThan(before + 50);
    isOver = true;
    await Promise.all(load);
    agent.destroy();
    expect(new Set(statuses)).toEqual(new Set([200]));
    for (const { end } of [...streams, again]) end();
  });
});

function hostOf(origin: string): string {
  return new URL(origin).host;
}

async function countStreams(admin: string): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  return Number(/^echotop_streams (\d+)$/m.exec(text)?.[1]);
}

test.skipIf(!hasNginx)("nginx accepts the example of a cache (install nginx to run this)", async () => {
  const { certificatePem, keyPem } = await createCertificate();
  const pem = join(directory, "proxy.pem");
  const key = join(directory, "proxy.key");
  writeFileSync(pem, certificatePem);
  writeFileSync(key, keyPem);
  const example = writeExample("nginx-public.conf", [
    ["/var/cache/nginx/echotop", join(directory, "cache")],
    ["/etc/nginx/wx.example.pem", pem],
    ["/etc/nginx/wx.example.key", key],
  ]);
  const whole = join(directory, "nginx.conf");
  writeFileSync(whole, `pid ${join(directory, "pid")}; events {} http { include ${example}; }`);
  const { status, stderr } = spawnSync("nginx", ["-t", "-c", whole, "-e", join(directory, "log")], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, expect.stringContaining("test is successful")]);
});

test.skipIf(!isInstalled("systemd-analyze", "--version"))(
  "systemd accepts the unit (install systemd to run this)",
  () => {
    writeExample("echotop@.service", [["/opt/echotop/node_modules/node/bin/node", process.execPath]]);
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", "./echotop@reader.service"], {
      cwd: directory,
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
  },
);
