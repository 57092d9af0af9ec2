// The end of hosting and of the gateway while real transfers run: a push and a download finish, and nothing new begins.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  makeTemporaryDirectory,
  removeDirectory,
  startHost,
  type RunningHost,
} from "../../electron/support/host-process.ts";
import { startScriptedOrigin, type ScriptedOrigin } from "../../electron/support/scripted-origin.ts";
import { git, gitEnvironment, gitOk, hasGit, makeWorkTree } from "../hosting/git.ts";
import { call } from "../support/curl.ts";
import { createPlatformToken } from "../support/platform-token.ts";

let directory: string;
let origin: ScriptedOrigin;
let host: RunningHost;

async function start(drainSeconds: number): Promise<void> {
  const zone = { id: "z1", hosts: ["brief.example"], public_origin: "https://brief.example" };
  const config = join(directory, "service.json");
  writeFileSync(
    config,
    JSON.stringify({
      roles: ["hosting", "gateway"],
      repositories: { port: 0 },
      gateway: { port: 0, zones: [{ ...zone, origin: origin.url }] },
      admin: { port: 0 },
      drain_seconds: drainSeconds,
    }),
  );
  host = await startHost(join(directory, "data"), ["--config", config]);
}

beforeEach(async () => {
  directory = makeTemporaryDirectory("drain");
  origin = await startScriptedOrigin();
});
afterEach(async () => {
  await host.kill();
  await origin.stop();
  removeDirectory(directory);
});

/** Interrupts the host, and waits until it says that it ends. */
async function interrupt(): Promise<{ readonly ended: Promise<unknown> }> {
  const ended = once(host.process, "close");
  host.process.kill("SIGTERM");
  await expect.poll(async () => (await fetch(`${host.admin!}/readyz`)).status, { interval: 20 }).toBe(503);
  return { ended };
}

/** Starts a download through the gateway, whose second half the test sends. */
async function beginDownload() {
  const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>();
  origin.answer("/huge.bin", (_request, response) => {
    response.writeHead(200, { "Content-Length": 2_000_000 }).write(Buffer.alloc(1_000_000, 1));
    resolve(response);
  });
  const visit = request(`${host.gateway!}/huge.bin`, { headers: { host: "brief.example" }, agent: false });
  const [answer] = (await once(visit.end(), "response")) as [IncomingMessage];
  const received = buffer(answer);
  const upstream = await asked;
  return { received, finish: () => upstream.end(Buffer.alloc(1_000_000, 2)) };
}

async function refusal(address: string): Promise<string> {
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  const [error] = (await once(socket, "error")) as [NodeJS.ErrnoException];
  return error.code!;
}

test("a download through the gateway finishes, and no connection is accepted meanwhile", async () => {
  await start(60);
  const { received, finish } = await beginDownload();
  const { ended } = await interrupt();
  expect(await refusal(host.gateway!)).toBe("ECONNREFUSED");
  expect(await refusal(host.api!)).toBe("ECONNREFUSED");
  finish();
  expect(await received).toEqual(Buffer.concat([Buffer.alloc(1_000_000, 1), Buffer.alloc(1_000_000, 2)]));
  expect(await ended).toEqual([0, null]);
});

test("a download that takes longer than the drain is cut off, and the process ends", async () => {
  await start(1);
  const { received } = await beginDownload();
  const { ended } = await interrupt();
  await expect(received).rejects.toThrow("aborted");
  expect(await ended).toEqual([0, null]);
});

/** A relay before the host that stops passing bytes from clients after a number of them, until it is opened. */
async function startDam(port: number, firstBytes: number) {
  const { promise: full, resolve: fill } = Promise.withResolvers<undefined>();
  const held: Socket[] = [];
  let passed = 0;
  let isOpen = false;
  const server = createServer((client) => {
    const target = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
    }
    target.pipe(client, { end: true });
    client.on("data", (piece: Buffer) => {
      target.write(piece);
      passed += piece.length;
      if (isOpen || passed < firstBytes) return;
      client.pause();
      held.push(client);
      fill(undefined);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    full,
    open: () => {
      isOpen = true;
      for (const client of held) client.resume();
    },
  };
}

describe.skipIf(!hasGit)("a push (install Git to run this)", () => {
  test("finishes, and its commit is there after a restart", async () => {
    await start(60);
    const edit = await createPlatformToken(join(directory, "data"), "artifacts:edit");
    const repositories = "/client/v4/accounts/local/artifacts/namespaces/events/repos";
    const made = await call(host.api! + repositories, {
      token: edit,
      method: "POST",
      json: { name: "storm" },
    });
    const { remote, token } = made.envelope.result as { remote: string; token: string };
    const dam = await startDam(Number(new URL(remote).port), 1_000_000);
    const files = { "frame.bin": randomBytes(4_000_000) };
    const work = await makeWorkTree(join(directory, "work"), remote, files);
    // As a proxy, the dam is asked under the host's own name.
    const proxy = ["-c", `http.proxy=http://127.0.0.1:${dam.port}`];
    const push = spawn("git", [...proxy, "push", "--quiet", remote, "main"], {
      cwd: work,
      env: gitEnvironment(token),
      stdio: ["ignore", "ignore", "pipe"],
    });
    const pushed = once(push, "close");
    await dam.full;
    const { ended } = await interrupt();
    expect(await refusal(host.api!)).toBe("ECONNREFUSED");
    dam.open();
    expect(await pushed).toEqual([0, null]);
    expect(await ended).toEqual([0, null]);
    await start(0);
    const again = new URL(remote);
    again.port = new URL(host.api!).port;
    const { stdout } = await git(["ls-remote", again.href, "main"], { token });
    expect(stdout.toString()).toContain(await gitOk(["rev-parse", "main"], { cwd: work }));
  });
});
