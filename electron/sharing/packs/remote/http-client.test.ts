import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "selfsigned";
import { expect, onTestFinished, test } from "vitest";
import { createRemoteHttp } from "./http-client.ts";
import type { HttpLimits } from "./transfer-limits.ts";
import { fingerprintOf } from "./pinned-certificate.ts";
import { startGitService, type GitServiceOptions } from "../support/git-service.ts";

const token = "art_v1_0123?expires=1800000000";
const signal = new AbortController().signal;

async function makeCertificate(): Promise<{
  readonly key: string;
  readonly cert: string;
  readonly sha256: string;
}> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "desk" }], { keySize: 2048 });
  return { key, cert, sha256: fingerprintOf(new X509Certificate(cert).raw) };
}

async function serve(options: Partial<GitServiceOptions>): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "echotop-http-"));
  const service = await startGitService({ root, ...options });
  onTestFinished(async () => {
    await service.close();
    rmSync(root, { recursive: true });
  });
  return service.origin;
}

async function ask(
  url: string,
  certificateSha256?: string,
  limits: HttpLimits = { idleMs: 5000, maxBytes: 1000 },
): Promise<string> {
  const http = createRemoteHttp({ address: { url, certificateSha256 }, token, signal, limits });
  try {
    const { body } = await http.request({ url: `${url}/info/refs` });
    const pieces: Uint8Array[] = [];
    for await (const piece of body!) pieces.push(piece);
    return Buffer.concat(pieces).toString("utf8");
  } finally {
    http.close();
  }
}

test("the paired certificate is trusted under any name, and the token is sent to no other", async () => {
  const [paired, other] = await Promise.all([makeCertificate(), makeCertificate()]);
  const shown: (string | undefined)[] = [];
  const intercept: GitServiceOptions["intercept"] = (request, response) => {
    shown.push(request.headers.authorization);
    response.end("answer");
    return true;
  };
  const origin = await serve({ tls: paired, intercept });
  expect(await ask(`${origin}/a.git`, paired.sha256)).toBe("answer");
  expect(shown).toEqual([`Bearer ${token}`]);
  await expect(ask(`${origin}/a.git`, other.sha256)).rejects.toThrow(/another certificate/);
  await expect(ask(`${origin}/a.git`)).rejects.toThrow(/cannot be reached \(certificate not trusted\)/);
  expect(shown).toHaveLength(1);
});

test("a response is limited in bytes and in idle time", async () => {
  const origin = await serve({
    intercept: (request, response) => {
      if (request.url!.startsWith("/long")) response.end(Buffer.alloc(2000));
      else if (request.url!.startsWith("/amid")) response.write("begin");
      return true;
    },
  });
  const limits = { idleMs: 50, maxBytes: 1000 };
  await expect(ask(`${origin}/long.git`, undefined, limits)).rejects.toThrow(/response is too long/);
  await expect(ask(`${origin}/silent.git`, undefined, limits)).rejects.toThrow(/does not respond/);
  await expect(ask(`${origin}/amid.git`, undefined, limits)).rejects.toThrow(/was cut|stopped/);
});

test("a list of references has a lower limit than a pack", async () => {
  const origin = await serve({
    intercept: (_request, response) => {
      response.end(Buffer.alloc(2 ** 24 + 1));
      return true;
    },
  });
  const limits = { idleMs: 5000, maxBytes: 2 ** 28 };
  await expect(ask(`${origin}/many.git`, undefined, limits)).rejects.toThrow(/response is too long/);
});

test("a refused connection is reported, and no token is sent over plain HTTP to another machine", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  await expect(ask(`http://127.0.0.1:${port}/a.git`)).rejects.toThrow(
    /cannot be reached \(connection refused\)/,
  );
  await expect(ask("http://storms.example/a.git")).rejects.toThrow(/Plain HTTP/);
  const address = { url: "http://127.0.0.1:1/a.git", certificateSha256: undefined };
  for (const bad of ["", "a b", "a\r\nx: y", "é"]) {
    expect(() => createRemoteHttp({ address, token: bad, signal })).toThrow(/token/);
  }
  const http = createRemoteHttp({ address, token, signal });
  await expect(http.request({ url: "http://127.0.0.1:1/b.git/info/refs" })).rejects.toThrow(
    /another address/,
  );
});
