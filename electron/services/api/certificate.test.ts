// The certificate, and the TLS listener that shows it.
import { createHash, X509Certificate } from "node:crypto";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { connect, TLSSocket } from "node:tls";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { loadSharingCertificate, type SharingCertificate } from "./certificate.ts";
import { makeDirectory, sendRaw, startTestApi, type TestApi } from "./support/test-api.ts";

const names = ["storms.example", "127.0.0.1"];
const load = (directory: string, hostNames: readonly string[] = names, at = "2026-05-20T00:00:00Z") =>
  loadSharingCertificate({ directory, hostNames, now: () => new Date(at) });

describe("the certificate", () => {
  test("is stored with mode 0600, and its fingerprint is the DER's", async () => {
    const directory = await makeDirectory();
    const made = await load(directory);
    expect(await load(directory, ["127.0.0.1", "Storms.Example"])).toEqual({
      ...made,
      keyPem: made.keyPem.trim(),
      certificatePem: made.certificatePem.trim(),
    });
    const certificate = new X509Certificate(made.certificatePem);
    expect(made.sha256).toBe(createHash("sha256").update(certificate.raw).digest("base64url"));
    expect(made.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    expect(certificate.checkHost("storms.example")).toBe("storms.example");
    expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(certificate.publicKey.asymmetricKeyType).toBe("ec");
    expect(certificate.ca).toBe(false);
    if (process.platform !== "win32") {
      expect((await stat(join(directory, "control", "sharing.pem"))).mode & 0o777).toBe(0o600);
    }
  });

  test.each<[string, readonly string[], string]>([
    ["expired", names, "2031-06-01T00:00:00Z"],
    ["one name is new", [...names, "fe80::1"], "2026-05-20T00:00:00Z"],
    ["one name is gone", ["storms.example"], "2026-05-20T00:00:00Z"],
    ["one name is another", ["storms.example", "127.0.0.2"], "2026-05-20T00:00:00Z"],
  ])("is replaced once if it is %s", async (_, hostNames, at) => {
    const directory = await makeDirectory();
    const first = await load(directory);
    const second = await load(directory, hostNames, at);
    expect(second.sha256).not.toBe(first.sha256);
    expect((await load(directory, hostNames, at)).sha256).toBe(second.sha256);
  });

  test("is replaced if its file is damaged or has another key", async () => {
    const directory = await makeDirectory();
    const file = join(directory, "control", "sharing.pem");
    const first = await load(directory);
    const text = await readFile(file, "utf8");
    const other = await load(await makeDirectory());
    for (const damage of [
      "",
      text.slice(0, 300),
      text.replaceAll("A", "B"),
      other.keyPem + first.certificatePem,
    ]) {
      await writeFile(file, damage);
      const next = await load(directory);
      expect(next.sha256).not.toBe(first.sha256);
      expect((await load(directory)).sha256).toBe(next.sha256);
    }
    await chmod(file, 0o600);
  });

  test("needs a name", async () => {
    await expect(load(await makeDirectory(), [])).rejects.toMatchObject({ code: "invalid-input" });
  });
});

async function startTls(): Promise<
  TestApi & { certificate: SharingCertificate; tlsPort: number; tlsOrigin: string }
> {
  const api = await startTestApi();
  const certificate = await load(await makeDirectory(), names, new Date().toISOString());
  const shared = { address: "127.0.0.1", port: 0, hostNames: names, certificate };
  const { port: tlsPort, origin: tlsOrigin } = await api.server.listenTls(shared);
  return { ...api, certificate, tlsPort, tlsOrigin };
}

async function askTls(
  { tlsPort, certificate }: { tlsPort: number; certificate: SharingCertificate },
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number | undefined; body: string; peer: string }> {
  const asked = request({
    host: "127.0.0.1",
    port: tlsPort,
    path,
    headers,
    ca: certificate.certificatePem,
    servername: "storms.example",
    agent: false,
  });
  asked.end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  const { socket } = response;
  if (!(socket instanceof TLSSocket)) throw new Error("The answer came in clear text.");
  const peer = socket.getPeerX509Certificate()!.fingerprint256;
  let body = "";
  for await (const chunk of response) body += String(chunk);
  return { status: response.statusCode, body, peer };
}

describe("the TLS listener", () => {
  test("shows the certificate, answers only to its names, and gives parts the used name", async () => {
    const api = await startTls();
    expect(api.tlsOrigin).toBe(`https://storms.example:${api.tlsPort}`);
    for (const name of names) {
      const headers = { host: `${name}:${api.tlsPort}` };
      const { status, body, peer } = await askTls(api, "/git/a", headers);
      expect([status, body]).toEqual([200, `GET /git/a https://${name}:${api.tlsPort} 0`]);
      expect(peer).toBe(api.certificate.fingerprint);
    }
    const authorization = `Bearer ${api.secretOf("artifacts:read")}`;
    const path = "/client/v4/accounts/local/things/a";
    const host = `storms.example:${api.tlsPort}`;
    expect((await askTls(api, path, { host, authorization })).status).toBe(200);
    for (const stranger of ["storms.example", `localhost:${api.tlsPort}`, `127.0.0.2:${api.tlsPort}`]) {
      expect((await askTls(api, path, { host: stranger, authorization })).status).toBe(421);
    }
    const origin = `http://${host}`;
    expect((await askTls(api, path, { host, authorization, origin })).status).toBe(403);
  });

  test("accepts TLS 1.2 or later, and ends other connections", async () => {
    const api = await startTls();
    const common = { port: api.tlsPort, host: "127.0.0.1", rejectUnauthorized: false } as const;
    const sound = connect({ ...common, maxVersion: "TLSv1.2" });
    await once(sound, "secureConnect");
    expect(sound.getProtocol()).toBe("TLSv1.2");
    sound.destroy();
    const old = connect({
      ...common,
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT:@SECLEVEL=0",
    });
    await expect(once(old, "secureConnect")).rejects.toThrow();
    expect(await sendRaw(api.tlsPort, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")).not.toMatch(/^HTTP.* 200/);
  });

  test("closes separately, and may be opened again", async () => {
    const api = await startTls();
    await api.server.closeTls();
    await expect(askTls(api, "/git/a", {})).rejects.toThrow();
    expect((await api.ask("/git/a", "none")).status).toBe(200);
    const { certificate } = api;
    const again = await api.server.listenTls({
      address: "127.0.0.1",
      port: 0,
      hostNames: names,
      certificate,
    });
    const headers = { host: `127.0.0.1:${again.port}` };
    expect((await askTls({ tlsPort: again.port, certificate }, "/git/a", headers)).status).toBe(200);
  });
});
