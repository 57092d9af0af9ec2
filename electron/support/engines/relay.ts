// A relay of TCP connections for tests of bad networks: it can fall silent without closing anything, or cut.
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface Relay {
  readonly port: number;
  /** Drops every byte from now on; connections stay open, as if the other machine had lost its power. */
  readonly fallSilent: () => void;
  /** Passes the bytes of new connections again. Silent ones stay silent. */
  readonly recover: () => void;
  /** Closes all connections. */
  readonly cut: () => void;
  /** Calls back for each piece from a client. The relay drops a piece if the callback returns false. */
  readonly watch: (see: (bytes: Buffer, connection: RelayedConnection) => boolean) => void;
  readonly close: () => Promise<void>;
}

/** One connection of a client. */
export interface RelayedConnection {
  readonly cut: () => void;
  readonly fallSilent: () => void;
}

export async function startRelay(targetPort: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  let isSilent = false;
  let see: (bytes: Buffer, connection: RelayedConnection) => boolean = () => true;
  const server = createServer((client) => {
    const target = connect(targetPort, "127.0.0.1");
    if (isSilent) silent.add(client);
    const connection = {
      cut: () => void client.destroy(),
      fallSilent: () => void silent.add(client),
    };
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => {
        if (silent.has(client) || (from === client && !see(bytes, connection))) return;
        to.write(bytes);
      });
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    client.once("close", () => clients.delete(client));
    clients.add(client);
  });
  const clients = new Set<Socket>();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    fallSilent: () => {
      isSilent = true;
      for (const client of clients) silent.add(client);
    },
    recover: () => {
      isSilent = false;
    },
    cut,
    watch: (callback) => {
      see = callback;
    },
    close: () => {
      cut();
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}
