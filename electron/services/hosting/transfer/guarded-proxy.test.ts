import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openGuardedProxy, type GuardedProxy, type GuardedProxyOptions } from "./guarded-proxy.ts";

let upstream: Server;
let port: number;
let arrived: Socket[];
let proxy: GuardedProxy;

beforeEach(async () => {
  arrived = [];
  upstream = createServer((socket) => {
    arrived.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => socket.write(chunk));
  });
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  ({ port } = upstream.address() as AddressInfo);
});
afterEach(async () => {
  await proxy.close();
  for (const socket of arrived) socket.destroy();
  upstream.close();
});

async function open(options: Partial<GuardedProxyOptions> = {}): Promise<void> {
  proxy = await openGuardedProxy({
    ...{ authority: `git.example.test:${port}`, port, addresses: ["127.0.0.1"] },
    ...{ maxBytes: 1024, idleMs: 5000, connectMs: 5000 },
    ...options,
  });
}

interface Asked {
  readonly authority?: string;
  readonly credentials?: string;
}

/** Returns the status of CONNECT, and the tunnel. */
async function ask({ authority, credentials }: Asked = {}): Promise<{ status: number; socket: Socket }> {
  const url = new URL(proxy.url);
  const sent = request({
    ...{ host: url.hostname, port: url.port, method: "CONNECT", agent: false },
    path: authority ?? `git.example.test:${port}`,
    headers: {
      "proxy-authorization": `Basic ${Buffer.from(credentials ?? `${url.username}:${url.password}`).toString("base64")}`,
    },
  });
  sent.end();
  const [response, socket] = (await once(sent, "connect")) as [IncomingMessage, Socket];
  socket.on("error", () => undefined);
  return { status: response.statusCode!, socket };
}

describe("the proxy of an import", () => {
  test("connects to the vetted address and forwards bytes both ways", async () => {
    await open();
    const { status, socket } = await ask();
    expect(status).toBe(200);
    socket.write("hello");
    const [chunk] = (await once(socket, "data")) as [Buffer];
    expect(chunk.toString()).toBe("hello");
    expect(proxy.fault).toBeUndefined();
  });

  test("connects to nothing without the secret", async () => {
    await open();
    for (const credentials of ["echotop:", "echotop:wrong", "", `x:${new URL(proxy.url).password}`]) {
      expect((await ask({ credentials })).status).toBe(407);
    }
    expect(arrived).toHaveLength(0);
    expect(proxy.fault).toBeUndefined();
  });

  test.each([
    "127.0.0.1:PORT",
    "git.example.test:22",
    "localhost:PORT",
    "git.example.test.evil:PORT",
    "169.254.169.254:80",
  ])("connects to nothing for the other target %s", async (pattern) => {
    await open();
    const { status } = await ask({ authority: pattern.replace("PORT", String(port)) });
    expect(status).toBe(403);
    expect(arrived).toHaveLength(0);
    expect(proxy.fault).toBe("strayed");
  });

  test("refuses plain requests", async () => {
    await open();
    const response = await fetch(new URL("/x", `http://127.0.0.1:${new URL(proxy.url).port}`));
    expect(response.status).toBe(405);
    expect(arrived).toHaveLength(0);
  });

  test("closes the tunnel above the limit on bytes of all connections", async () => {
    await open({ maxBytes: 8 });
    const first = await ask();
    first.socket.write("12345678");
    await once(first.socket, "data");
    expect(proxy.fault).toBeUndefined();
    const second = await ask();
    second.socket.resume();
    second.socket.write("9");
    await once(second.socket, "close");
    expect(proxy.fault).toBe("too-big");
  });

  test("closes a silent connection", async () => {
    await open({ idleMs: 50 });
    const { socket } = await ask();
    socket.resume();
    await once(socket, "close");
    expect(proxy.fault).toBe("silent");
  });

  test("tries the next address after a failure, and reports if none connects", async () => {
    await open({ addresses: ["127.0.0.9", "127.0.0.1"], connectMs: 500 });
    expect((await ask()).status).toBe(200);
    await proxy.close();
    await open({ addresses: ["127.0.0.9"], connectMs: 500 });
    expect((await ask()).status).toBe(502);
    expect(proxy.fault).toBe("unreachable");
  });

  test("closes all connections, and may be closed twice", async () => {
    await open();
    const { socket } = await ask();
    socket.resume();
    const gone = once(socket, "close");
    await proxy.close();
    await proxy.close();
    await gone;
    await expect(fetch(`http://127.0.0.1:${new URL(proxy.url).port}/`)).rejects.toThrow();
  });
});
