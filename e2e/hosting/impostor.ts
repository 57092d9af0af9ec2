// A TLS server that pretends to be another: its own certificate, and a record of everything sent to it.
import { X509Certificate } from "node:crypto";
import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:tls";
import { generate } from "selfsigned";

export interface Impostor {
  readonly port: number;
  /** In the form of a pairing code. */
  readonly sha256: string;
  readonly connections: () => number;
  /** Everything received over TLS. */
  readonly heard: () => string;
  close(): Promise<void>;
}

export async function startImpostor(): Promise<Impostor> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "127.0.0.1" }], {
    keyType: "ec",
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });
  let heard = "";
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer({ key, cert }, (socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      heard += chunk.toString("latin1");
      socket.end("HTTP/1.1 500 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    });
  });
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const digest = new X509Certificate(cert).fingerprint256.replaceAll(":", "");
  return {
    port: (server.address() as AddressInfo).port,
    sha256: Buffer.from(digest, "hex").toString("base64url"),
    connections: () => connections,
    heard: () => heard,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}
