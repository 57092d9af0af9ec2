// The link between two desks: forwards HTTP to a host on loopback, counts the bytes of answers, and can stall.
import { createServer, request as requestHttp } from "node:http";
import type { AddressInfo } from "node:net";
import { Transform } from "node:stream";

export interface Relay {
  readonly origin: string;
  /** Bytes of answer bodies so far. */
  readonly received: () => number;
  /** Stalls after this many more bytes; resolves when stalled. */
  holdAfter(byteLength: number): Promise<void>;
  /** Closes stalled connections and forwards new ones. */
  release(): void;
  close(): Promise<void>;
}

export async function openRelay(toPort: number): Promise<Relay> {
  let received = 0;
  let limit = Infinity;
  let held = Promise.withResolvers<undefined>();
  const holding = new Set<() => void>();

  const createMeter = (cut: () => void): Transform =>
    new Transform({
      transform(chunk: Buffer, _, done) {
        received += chunk.length;
        if (received < limit) {
          done(null, chunk);
          return;
        }
        // The excess stays here, and `done` is never called.
        holding.add(cut);
        held.resolve(undefined);
      },
    });

  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const onward = requestHttp({
      ...{ host: "127.0.0.1", port: toPort, method, path: url },
      headers: { ...headers, host: `127.0.0.1:${toPort}` },
    });
    const cut = (): void => {
      response.destroy();
      onward.destroy();
    };
    request.pipe(onward);
    request.on("error", cut);
    response.on("close", cut);
    onward.on("error", cut);
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.on("error", cut);
      answer.pipe(createMeter(cut)).pipe(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    holdAfter: async (byteLength) => {
      limit = received + byteLength;
      await held.promise;
    },
    release() {
      limit = Infinity;
      held = Promise.withResolvers();
      for (const cut of holding) cut();
      holding.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
