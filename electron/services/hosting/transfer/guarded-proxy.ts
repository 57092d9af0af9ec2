// The only way out for one import: a CONNECT proxy on loopback to one host and port, at vetted addresses, with limits
// on bytes and silence. Git must use it; any redirect, other name or alternate that a server sends ends here. A secret
// keeps other programs of the machine out.
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";

export interface GuardedProxyOptions {
  /** Required target of a CONNECT request: `host:443`. */
  readonly authority: string;
  readonly port: number;
  /** Tried in order. */
  readonly addresses: readonly string[];
  /** Limit on bytes from the upstream over all connections, including TLS overhead. */
  readonly maxBytes: number;
  /** Silence after which a connection is closed. */
  readonly idleMs: number;
  /** Time to connect to each address. */
  readonly connectMs: number;
}

/** The first reason for which the proxy closed or refused a connection. */
export type ProxyFault = "unreachable" | "silent" | "too-big" | "strayed";

export interface GuardedProxy {
  /** Contains user and password: only for Git's environment. */
  readonly url: string;
  readonly fault: ProxyFault | undefined;
  /** Closes every connection. Idempotent. */
  close(): Promise<void>;
}

const user = "echotop";

export async function openGuardedProxy(options: GuardedProxyOptions): Promise<GuardedProxy> {
  const secret = randomBytes(24).toString("hex");
  const expected = Buffer.from(`Basic ${Buffer.from(`${user}:${secret}`).toString("base64")}`);
  const sockets = new Set<Duplex>();
  const keep = <Kept extends Duplex>(socket: Kept): Kept => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  let fault: ProxyFault | undefined;
  const note = (reason: ProxyFault): void => {
    fault ??= reason;
  };
  const meter = { received: 0 };

  const server = createServer((_, response) => {
    response.writeHead(405, { connection: "close" }).end();
  });
  server.on("connection", keep);
  server.on("connect", (request: IncomingMessage, client: Duplex, head: Buffer) => {
    // A broken socket closes, which the handlers below cover.
    client.on("error", () => undefined);
    if (!isSecret(request.headers["proxy-authorization"], expected)) {
      refuse(client, "407 Proxy Authentication Required", `Proxy-Authenticate: Basic realm="import"\r\n`);
    } else if (request.url?.toLowerCase() !== options.authority) {
      note("strayed");
      refuse(client, "403 Forbidden");
    } else {
      void tunnel(client, head, { options, keep, note, meter });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://${user}:${secret}@127.0.0.1:${port}`,
    get fault() {
      return fault;
    },
    close: () =>
      new Promise((resolve) => {
        // An error here means that it was closed before.
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function isSecret(given: string | undefined, expected: Buffer): boolean {
  const bytes = Buffer.from(given ?? "");
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

function refuse(client: Duplex, status: string, headers = ""): void {
  client.end(`HTTP/1.1 ${status}\r\n${headers}Content-Length: 0\r\nConnection: close\r\n\r\n`);
}

interface TunnelParts {
  readonly options: GuardedProxyOptions;
  readonly keep: <Kept extends Duplex>(socket: Kept) => Kept;
  readonly note: (reason: ProxyFault) => void;
  readonly meter: { received: number };
}

async function tunnel(
  client: Duplex,
  head: Buffer,
  { options, keep, note, meter }: TunnelParts,
): Promise<void> {
  const upstream = await connectToAny(options, keep);
  if (upstream === undefined) {
    note("unreachable");
    refuse(client, "502 Bad Gateway");
    return;
  }
  if (client.destroyed) {
    upstream.destroy();
    return;
  }
  upstream.setTimeout(options.idleMs, () => {
    note("silent");
    upstream.destroy();
  });
  upstream.on("data", (chunk: Buffer) => {
    meter.received += chunk.length;
    if (meter.received <= options.maxBytes) return;
    note("too-big");
    upstream.destroy();
  });
  upstream.on("close", () => client.destroy());
  client.on("close", () => upstream.destroy());
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  if (head.length > 0) upstream.write(head);
  upstream.pipe(client);
  client.pipe(upstream);
}

/** Returns the first connection that succeeds; undefined if none does. */
async function connectToAny(
  { addresses, port, connectMs }: GuardedProxyOptions,
  keep: TunnelParts["keep"],
): Promise<Socket | undefined> {
  for (const host of addresses) {
    const socket = keep(connect({ host, port }));
    const connected = await new Promise<boolean>((resolve) => {
      socket.setTimeout(connectMs, () => socket.destroy());
      socket.once("connect", () => {
        resolve(true);
      });
      // Every failure also closes the socket, so the event adds nothing.
      socket.on("error", () => undefined);
      socket.once("close", () => {
        resolve(false);
      });
    });
    if (connected) {
      socket.setTimeout(0);
      return socket;
    }
  }
  return undefined;
}
