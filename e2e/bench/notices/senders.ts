// The sending side of the notices benchmark: the storm service over a real catalog, and a bare `ws` server that sends
// the same bytes to all of its sockets in a loop.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { createFrameStore } from "../../../electron/catalog/files/file-frame-store.ts";
import { openCatalog } from "../../../electron/catalog/sqlite/open-catalog.ts";
import type { PlaceProvider } from "../../../electron/services/storm/places/place-provider.ts";
import { createStormService } from "../../../electron/services/storm/service.ts";
import { toPath } from "../../../shared/contract/operations.ts";
import { windowMs } from "../../../shared/revisions/observation-window.ts";
import { clockMs } from "./clock.ts";

/** Stream addresses of the two servers. */
export interface Senders {
  readonly hub: string;
  readonly ws: string;
}

export interface Sent {
  /** Time at which the message was available, on the machine's monotonic clock. */
  readonly atMs: number;
}

const eventId = "notices";

/** A required provider that the benchmark never queries. */
const noPlaces: PlaceProvider = {
  search: () => Promise.resolve({ attribution: "none", results: [] }),
  close: () => Promise.resolve(),
};

async function startHub(directory: string) {
  const catalog = await openCatalog({ directory, now: () => new Date() });
  const frames = createFrameStore({ directory });
  const frameId = await frames.put(new Uint8Array([1, 2, 3]));
  let announced: (() => void) | undefined;
  // Registered before the hub's own listener, so that the time starts when the hub learns of the commit.
  catalog.onChange(() => announced?.());
  const service = await createStormService({
    catalog,
    frames,
    places: noPlaces,
    viewer: undefined,
    clock: () => new Date(),
    log: (_level, message) => process.stderr.write(`${message}\n`),
    hosts: [],
  });
  const { port } = await service.listen({ host: "127.0.0.1", port: 0 });
  let published = 0;
  const publish = async (): Promise<Sent> => {
    const { promise, resolve } = Promise.withResolvers<Sent>();
    announced = () => {
      resolve({ atMs: clockMs() });
      announced = undefined;
    };
    published += 1;
    const observedAt = new Date(Date.UTC(2026, 4, 20) + published * windowMs).toISOString();
    await catalog.publish({
      event: { id: eventId },
      layers: [
        {
          productId: "mrms-mesh",
          observedAt,
          frameId,
          bounds: [-100, 33, -94, 38],
          messageSha256: String(published),
          sourceUrl: "ni:///sha-256;bench",
          sourceLastModified: undefined,
        },
      ],
      assetIds: [],
    });
    return promise;
  };
  await publish();
  const newestNotice = async (): Promise<Buffer> =>
    Buffer.from(JSON.stringify((await catalog.listNotices(eventId, 0, 1))[0]));
  return { url: `ws://127.0.0.1:${port}${toPath("openStream", { eventId })}`, publish, newestNotice };
}

async function startBare() {
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}/`,
    send(bytes: Buffer): Sent {
      const atMs = clockMs();
      for (const client of sockets.clients) client.send(bytes, { binary: false });
      return { atMs };
    },
  };
}

const hub = await startHub(process.argv[2]!);
const bare = await startBare();
process.on("message", (sender: keyof Senders) => {
  const sent = sender === "hub" ? hub.publish() : hub.newestNotice().then((bytes) => bare.send(bytes));
  void sent.then((moment) => process.send!(moment));
});
process.send!({ hub: hub.url, ws: bare.url } satisfies Senders);
