// Sharing with other computers of the network: off by default, only over TLS, with a certificate that the remote knows
// by the fingerprint in its pairing code.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { LanState } from "../../shared/contract/packs.ts";
import { Desk } from "./desk.ts";
import { curl, hasCurl } from "../support/curl.ts";
import { hasGit } from "./git.ts";
import { missing } from "./hosting.ts";
import { startImpostor } from "./impostor.ts";
import { ingestWindows, pack, readEvent } from "../support/storm-files.ts";

const event = "joplin-2011";

/** Returns the addresses and ports, in hexadecimal, on which a process listens. */
function listenersOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  const own = new Set(
    readdirSync(folder).flatMap((fd) => {
      try {
        return [/^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${fd}`))?.[1]];
      } catch {
        // It has been closed.
        return [];
      }
    }),
  );
  return ["tcp", "tcp6"]
    .flatMap((table) => readFileSync(`/proc/${pid}/net/${table}`, "utf8").trim().split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === "0A" && own.has(inode))
    .map(([, address]) => address!);
}

const portOf = (url: string): number => Number(new URL(url).port);

/** Returns everything received on a connection, or the code of its failure. */
function sendPlain(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let back = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on("data", (chunk) => (back += chunk.toString("latin1")));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      back += error.code ?? error.message;
    });
    socket.on("close", () => {
      resolve(back);
    });
  });
}

describe.skipIf(!hasGit || !hasCurl)(`sharing on a network${missing && ` (needs ${missing})`}`, () => {
  let mine: Desk;
  let theirs: Desk;
  beforeAll(async () => {
    [mine, theirs] = await Promise.all([new Desk().start(), new Desk().start()]);
    await ingestWindows(mine.data, event, { first: 0, count: 2 });
    await mine.shareAndInvite(event);
  });
  afterAll(async () => {
    await Promise.all([mine.remove(), theirs.remove()]);
  });

  const switchOn = async (): Promise<Extract<LanState, { status: "on" }>> => {
    const state = await mine.act("lan.switch", { on: true });
    if (state.status !== "on") throw new Error(`Sharing is ${JSON.stringify(state)}.`);
    return state;
  };
  const invite = () => mine.act("packs.invite", { eventId: event, ttlSeconds: 600 });

  test.runIf(process.platform === "linux")("nothing listens before it is switched on", async () => {
    const fresh = await new Desk().start();
    onTestFinished(() => fresh.remove());
    expect(listenersOf(fresh.pid)).toHaveLength(1);
    expect((await fresh.act("packs.list", {})).lan).toEqual({ status: "off" });
    await expect(fresh.act("lan.switch", { on: true })).rejects.toThrow(/409.*Hosting is off/);
    expect(listenersOf(fresh.pid)).toHaveLength(1);
    // Hosting itself listens only on this machine.
    const addresses = listenersOf(mine.pid);
    expect(addresses).toHaveLength(2);
    for (const address of addresses) expect(address).toMatch(/^0100007F:/);
  });

  test("an invitation is a pairing code, and its event arrives byte for byte", async () => {
    const { address: origin, fingerprint } = await switchOn();
    const { address, token } = await invite();
    const [url, sha256] = address.split("#sha256=");
    expect(url).toBe(`${origin}/git/events/${event}.git`);
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\//);
    const digest = Buffer.from(fingerprint.replaceAll(":", ""), "hex");
    expect([sha256, digest.length]).toEqual([digest.toString("base64url"), 32]);
    await theirs.done(await theirs.act("packs.get", { address, token }));
    expect(await readEvent(theirs.origin, event)).toEqual(await readEvent(mine.origin, event));
    // Updates use the same code.
    await ingestWindows(mine.data, event, { first: 2, count: 1 });
    await mine.whenShared(event, 3);
    await theirs.done(await theirs.act("packs.getAgain", { eventId: event }));
    expect(await readEvent(theirs.origin, event)).toEqual(await readEvent(mine.origin, event));
    expect((await theirs.findPack(event))?.gotFrom).toMatchObject({ address, hasToken: true });
  });

  test("another certificate is refused before anything is sent", async () => {
    await switchOn();
    const { address, token } = await invite();
    const impostor = await startImpostor();
    onTestFinished(() => impostor.close());
    const there = address.replace(/:\d+\//, `:${impostor.port}/`);
    const refused = await theirs.ended(await theirs.act("packs.get", { address: there, token }));
    expect(refused.state).toBe("failed");
    expect(refused.message).toContain("another certificate");
    expect(impostor.connections()).toBeGreaterThan(0);
    expect(impostor.heard()).toBe("");
    // Without a fingerprint, an authority would have to sign it.
    const bare = await theirs.act("packs.get", { address: there.split("#")[0]!, token });
    expect((await theirs.ended(bare)).state).toBe("failed");
    expect(impostor.heard()).toBe("");
    // With its own fingerprint it receives a request, so the silence above is significant.
    const paired = `${there.split("#")[0]!}#sha256=${impostor.sha256}`;
    await theirs.ended(await theirs.act("packs.get", { address: paired, token }));
    expect(impostor.heard()).toContain(token);
  });

  test("a token is never sent to another machine over plain HTTP", async () => {
    const { token } = await invite();
    for (const host of ["192.0.2.1", "storms.example", "127.0.0.1.storms.example", "0.0.0.0"]) {
      const address = `http://${host}:${mine.hostingPort}/git/events/${event}.git`;
      await expect(theirs.act("packs.get", { address, token }), host).rejects.toThrow(/Plain HTTP/);
      const { status, stderr } = await pack(theirs.data, "fetch", address);
      expect([status, stderr]).toEqual([2, expect.stringContaining("Plain HTTP")]);
    }
  });

  test("the listener for others answers only TLS, and only its own name", async () => {
    const { address: origin } = await switchOn();
    const { address, token } = await invite();
    const port = portOf(origin);
    const path = `/git/events/${event}.git/info/refs?service=git-upload-pack`;
    const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const back = await sendPlain(port, head);
    expect(back).not.toContain("200");
    expect(back).not.toContain("git-upload-pack");
    const url = `${address.split("#")[0]!}/info/refs?service=git-upload-pack`;
    const bearer = ["-k", "-H", `Authorization: Bearer ${token}`];
    expect((await curl(url, bearer)).status).toBe(200);
    expect((await curl(url, [...bearer, "-H", "Host: evil.example"])).status).toBe(421);
    expect((await curl(url, [...bearer, "--tlsv1.0", "--tls-max", "1.1"])).status).toBeNaN();
    expect((await curl(url, ["-k"])).status).toBe(401);
  });

  test("it survives a restart with its fingerprint, and ends when switched off", async () => {
    const { address, fingerprint } = await switchOn();
    expect(await mine.stop()).toBe(0);
    await mine.start({ port: portOf(address) });
    expect((await mine.act("packs.list", {})).lan).toEqual({ status: "on", address, fingerprint });
    await theirs.done(await theirs.act("packs.getAgain", { eventId: event }));
    expect(await mine.act("lan.switch", { on: false })).toEqual({ status: "off" });
    expect(await sendPlain(portOf(address), "x")).toBe("ECONNREFUSED");
    const failed = await theirs.ended(await theirs.act("packs.getAgain", { eventId: event }));
    expect(failed.state).toBe("failed");
    expect((await invite()).address).toMatch(/^http:\/\/127\.0\.0\.1:/);
    await mine.stop();
    await mine.start({ port: portOf(address) });
    expect((await mine.act("packs.list", {})).lan).toEqual({ status: "off" });
  });
});
