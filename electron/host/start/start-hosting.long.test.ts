// Deletion during transfers, and many clients at once, against the whole of hosting with the machine's Git.
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { watch } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createConnection, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { defaultApiConfig } from "../config/host-config.ts";
import type { Effects } from "../../platform/effects.ts";
import { flushPkt, formatPkt } from "../../sharing/git/pkt-line.ts";
import { makePack, makePush } from "../../sharing/git/support/make-pack.ts";
import type { ArtifactsCreateResult } from "../../services/hosting/binding-types.ts";
import { repositoryLayout } from "../../services/hosting/repository-folders.ts";
import { defaultServiceConfig } from "../config/service-config.ts";
import { createControlStores } from "./control-stores.ts";
import { createSharedApi } from "./start-api.ts";
import { findHostingGit, startHosting, type RunningHosting } from "./start-hosting.ts";

const noGit = "missing" in (await findHostingGit(defaultApiConfig));
const patient = { timeout: 20_000, interval: 10 };

describe.skipIf(noGit)("hosting under heavy use (needs Git)", () => {
  let folder: string;
  let hosting: RunningHosting;
  let logged: string[];
  let sockets: Socket[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "echotop-start-hosting-"));
    logged = [];
    sockets = [];
    const config = { dataDirectory: join(folder, "data"), api: { ...defaultApiConfig, port: 0 } };
    const effects: Pick<Effects, "now" | "log"> = {
      now: () => new Date(),
      log: (level, message) => logged.push(`${level}: ${message}`),
    };
    const control = createControlStores({ ...config, service: defaultServiceConfig }, effects);
    hosting = await startHosting(config, effects, createSharedApi(config, effects, control));
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await hosting.close();
    await rm(folder, { recursive: true, force: true });
  });

  const layout = () => repositoryLayout(join(folder, "data"));
  const binding = () => hosting.packs.binding;
  const running = async (): Promise<readonly string[]> =>
    (await readdir(layout().runningFolder)).filter((name) => name.endsWith(".json"));
  const left = async () => [await readdir(layout().gitFolder), await readdir(layout().stagingFolder)];
  const secretOf = ({ token }: ArtifactsCreateResult) => token.split("?")[0]!;

  function git(...args: string[]): Promise<string> {
    const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" };
    const who = ["-c", "user.name=A", "-c", "user.email=a@localhost"];
    return new Promise((resolve, reject) => {
      execFile("git", [...who, ...args], { cwd: folder, env }, (error, out) => {
        if (error === null) resolve(out.trim());
        else reject(new Error("Git failed.", { cause: error }));
      });
    });
  }

  /** A repository with one commit of one incompressible file. */
  async function publish(name: string, byteLength: number) {
    const created = await binding().create(name);
    const work = join(folder, `work-${name}`);
    const remote = created.remote.replace("//", `//x:${secretOf(created)}@`);
    await git("init", "--quiet", "--initial-branch=main", work);
    await writeFile(join(work, "frame"), randomBytes(byteLength));
    await git("-C", work, "add", ".");
    await git("-C", work, "commit", "--quiet", "-m", "revision");
    await git("-C", work, "push", "--quiet", remote, "main");
    return { ...created, cloneFrom: remote, head: await git("-C", work, "rev-parse", "HEAD") };
  }

  /** Sends the head of a POST and the given part of its body. */
  function post(
    created: ArtifactsCreateResult,
    service: "git-upload-pack" | "git-receive-pack",
    { body, part = body.length }: { body: Buffer; part?: number },
  ): Socket {
    const { hostname, port, pathname, host } = new URL(created.remote);
    const socket = createConnection(Number(port), hostname);
    sockets.push(socket.on("error", () => undefined));
    const lines = [
      ...[`POST ${pathname}/${service} HTTP/1.1`, `Host: ${host}`, `Content-Length: ${body.length}`],
      ...[`Content-Type: application/x-${service}-request`, `Authorization: Bearer ${secretOf(created)}`],
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    socket.write(body.subarray(0, part));
    return socket;
  }

  /** Returns the first chunk of a response, after which nothing is read. */
  function readOnePiece(socket: Socket): Promise<Buffer> {
    return new Promise((resolve) => {
      socket.once("data", (piece: Buffer) => {
        socket.pause();
        resolve(piece);
      });
    });
  }

  async function expectGoneWithin(limitMs: number, name: string): Promise<void> {
    const startedMs = performance.now();
    expect(await binding().delete(name)).toBe(true);
    expect(performance.now() - startedMs).toBeLessThan(limitMs);
    expect(await left()).toEqual([[], []]);
    expect(await running()).toEqual([]);
    expect(logged).toEqual([]);
  }

  test("a repository is deleted during a clone whose reader has stopped", async () => {
    const published = await publish("ev", 40_000_000);
    const want = formatPkt(`want ${published.head} side-band-64k ofs-delta\n`);
    const body = Buffer.concat([want, flushPkt, formatPkt("done\n")]);
    await readOnePiece(post(published, "git-upload-pack", { body }));
    expect(await running()).toHaveLength(1);
    await expectGoneWithin(5000, "ev");
  }, 30_000);

  test("a repository is deleted during a push", async () => {
    const created = await binding().create("ev");
    const pack = makePack([{ type: 3, content: randomBytes(3_000_000) }]);
    const body = makePush("refs/heads/main", "1".repeat(40), pack);
    post(created, "git-receive-pack", { body, part: 2_000_000 });
    const objects = join(layout().gitFolder, `${created.id}.git`, "objects");
    await vi.waitFor(async () => {
      expect((await readdir(objects)).some((name) => /tmp_objdir|incoming/.test(name))).toBe(true);
    }, patient);
    await expectGoneWithin(5000, "ev");
    const again = await binding().create("ev");
    expect(again.id).not.toBe(created.id);
  }, 30_000);

  test("fifty concurrent clones succeed with no more processes than allowed", async () => {
    const { cloneFrom, head } = await publish("ev", 20_000);
    let most = 0;
    const watcher = watch(layout().runningFolder, () => {
      void running().then((names) => {
        most = Math.max(most, names.length);
      });
    });
    const heads = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const copy = join(folder, `clone-${index}`);
        await git("clone", "--quiet", "--bare", cloneFrom, copy);
        return git("--git-dir", copy, "rev-parse", "main");
      }),
    );
    watcher.close();
    expect(heads).toEqual(Array.from({ length: 50 }, () => head));
    expect(most).toBeGreaterThan(0);
    // Half of the most processes is the limit for one repository.
    expect(most).toBeLessThanOrEqual(8);
    expect(await running()).toEqual([]);
    expect(logged).toEqual([]);
  }, 120_000);

  test("a reader that pauses gets the whole response", async () => {
    const published = await publish("ev", 20_000_000);
    const body = Buffer.concat([
      formatPkt(`want ${published.head} ofs-delta\n`),
      flushPkt,
      formatPkt("done\n"),
    ]);
    const socket = post(published, "git-upload-pack", { body });
    const pieces = [await readOnePiece(socket)];
    expect(await running()).toHaveLength(1);
    for (let last = ""; last !== "0\r\n\r\n"; last = pieces.at(-1)!.subarray(-5).toString("latin1")) {
      const next = readOnePiece(socket);
      socket.resume();
      pieces.push(await next);
    }
    const whole = Buffer.concat(pieces);
    const pack = unchunk(whole.subarray(whole.indexOf("\r\n\r\n") + 4));
    const start = pack.indexOf("PACK");
    const sum = createHash("sha1").update(pack.subarray(start, -20)).digest();
    expect(sum.equals(pack.subarray(-20))).toBe(true);
    expect(await running()).toEqual([]);
  }, 30_000);
});

/** Returns the content of a body in HTTP/1.1 chunks. */
function unchunk(body: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let offset = 0; ;) {
    const end = body.indexOf("\r\n", offset);
    const byteLength = Number.parseInt(body.toString("latin1", offset, end), 16);
    if (byteLength === 0) return Buffer.concat(pieces);
    pieces.push(body.subarray(end + 2, end + 2 + byteLength));
    offset = end + 4 + byteLength;
  }
}
