// A whole service whose parts can be made to fail: PostgreSQL, alone or with a standby, behind relays; objects in Ceph
// behind a proxy, or in a folder; two readers, two feeds of one event, and two workers.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startTestBucket, type TestBucket } from "../../../electron/catalog/objects/support/test-bucket.ts";
import { cephGateway } from "../../../electron/support/engines/ceph-gateway.ts";
import { startPostgresPair, type PostgresPair } from "../../../electron/support/engines/postgres-pair.ts";
import {
  postgresPassword,
  postgresUser,
  startPostgres,
  type PostgresServer,
} from "../../../electron/support/engines/postgres-server.ts";
import { startRelay, type Relay, type RelayedConnection } from "../../../electron/support/engines/relay.ts";
import { setVariables } from "../../../electron/support/environment.ts";
import { runCommand, startHost, type RunningHost } from "../../../electron/support/host-process.ts";
import type { ServiceLocation } from "../../../electron/catalog/stores/located-stores.ts";

export const liveEvent = "live";

export interface TrialOptions {
  readonly root: string;
  /** True for one database server and a folder of objects, which start at once. */
  readonly isSmall: boolean;
}

/** Sees what clients send to the database; returns false to drop it. */
export type See = (bytes: Buffer, connection: RelayedConnection) => boolean;

export class TrialService {
  readonly inbox: string;
  readonly location: ServiceLocation;
  readonly pair: PostgresPair | undefined;
  readonly bucket: TestBucket | undefined;
  readonly readers: readonly HostSlot[];
  readonly feeds: readonly HostSlot[];
  /** None in the small form. */
  readonly workers: readonly HostSlot[];
  /** Connections that have sent LISTEN. */
  readonly listening = new Set<RelayedConnection>();
  readonly #single: PostgresServer | undefined;
  readonly #relays: readonly Relay[];
  readonly #database: string;
  readonly #config: string;
  #see: See | undefined;

  constructor({ root, ...engines }: Engines & { readonly root: string }) {
    this.inbox = join(root, "inbox");
    this.location = engines.location;
    this.pair = engines.pair;
    this.bucket = engines.bucket;
    this.#single = engines.single;
    this.#relays = engines.relays;
    this.#database = engines.database;
    const configOf = (role: string): string => join(root, `${role}.json`);
    this.#config = configOf("reader");
    const slots = (role: string, ...args: readonly string[]): HostSlot[] =>
      [1, 2].map((n) => new HostSlot(join(root, `${role}-${n}`), ["--config", configOf(role), ...args]));
    this.readers = slots("reader");
    this.feeds = slots("feed", "--feed", `folder:${this.inbox}`, "--feed-event", liveEvent);
    this.workers = engines.pair ? slots("worker") : [];
    for (const relay of this.#relays) {
      relay.watch((bytes, connection) => {
        if (bytes.includes("LISTEN ")) this.listening.add(connection);
        return this.#see?.(bytes, connection) ?? true;
      });
    }
  }

  get primary(): PostgresServer {
    return this.pair?.primary ?? this.#single!;
  }

  query<Row extends Record<string, unknown>>(sql: string): Promise<Row[]> {
    return this.primary.query<Row>(sql, this.#database);
  }

  /** Address of one server alone, around the relays. */
  urlOf(server: PostgresServer): string {
    return server.url(this.#database);
  }

  /** Calls back for all that clients send to the database. */
  watch(see: See | undefined): void {
    this.#see = see;
  }

  async start(): Promise<void> {
    mkdirSync(this.inbox);
    await Promise.all(this.#slots.map((slot) => slot.start()));
  }

  /** Runs a command on the service. @throws Error if it fails */
  async run(...args: readonly string[]): Promise<void> {
    const { status, stderr } = await runCommand([...args, "--config", this.#config]);
    if (status !== 0) throw new Error(stderr);
  }

  get #slots(): readonly HostSlot[] {
    return [...this.readers, ...this.feeds, ...this.workers];
  }

  /** Returns the feed that leads; undefined while there is none, or more than one. */
  async findLeader(): Promise<HostSlot | undefined> {
    const areLeading = await Promise.all(this.feeds.map((feed) => feed.isFeeding()));
    const leaders = this.feeds.filter((_, index) => areLeading[index]);
    return leaders.length === 1 ? leaders[0] : undefined;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#slots.map((slot) => slot.kill()));
    await Promise.all(this.#relays.map((relay) => relay.close()));
    await this.bucket?.close();
    await (this.pair ?? this.#single)!.remove();
  }
}

/** One process of the program, which is started again on the same port. */
export class HostSlot {
  readonly scratch: string;
  readonly #args: readonly string[];
  #port = "0";
  #host: RunningHost | undefined;

  constructor(scratch: string, args: readonly string[]) {
    this.scratch = scratch;
    this.#args = args;
  }

  get origin(): string {
    return this.#host!.origin;
  }

  get stderr(): string {
    return this.#host!.stderr();
  }

  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    mkdirSync(this.scratch, { recursive: true });
    this.#host = await startHost(this.scratch, [...this.#args, "--port", this.#port], env);
    const origin = this.#host.origin as string | null;
    if (origin !== null) this.#port = new URL(origin).port;
  }

  /** Kills it like a power cut. */
  async kill(): Promise<void> {
    await this.#host?.kill();
  }

  /** Ends it in order. */
  async stop(): Promise<void> {
    await this.#host!.stop();
  }

  /** Kills it and forgets all that it has stored on its machine. */
  async replace(): Promise<void> {
    await this.kill();
    rmSync(this.scratch, { recursive: true, force: true });
    await this.start();
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#host!.process.kill(signal);
  }

  async isFeeding(): Promise<boolean> {
    try {
      const answer = await fetch(`${this.#host!.admin!}/metrics`, { signal: AbortSignal.timeout(1_000) });
      return /^echotop_feed_state\{.*\} 1$/m.test(await answer.text());
    } catch {
      // It was killed or stopped.
      return false;
    }
  }
}

interface Engines {
  readonly location: ServiceLocation;
  readonly pair: PostgresPair | undefined;
  readonly single: PostgresServer | undefined;
  readonly bucket: TestBucket | undefined;
  readonly relays: readonly Relay[];
  readonly database: string;
}

/** Starts everything. Sets the credentials of this process until `end` is called. */
export async function startTrialService({
  root,
  isSmall,
}: TrialOptions): Promise<{ readonly service: TrialService; readonly end: () => Promise<void> }> {
  const restore = setVariables({ PGPASSWORD: postgresPassword });
  const settings = { wal_retrieve_retry_interval: "100ms" };
  const single = isSmall ? await startPostgres({ settings }) : undefined;
  const pair = isSmall ? undefined : await startPostgresPair({ settings });
  const bucket = isSmall ? undefined : await startTestBucket(cephGateway);
  const servers = pair ? [pair.primary, pair.standby] : [single!];
  const relays = await Promise.all(servers.map(({ port }) => startRelay(port)));
  const database = await servers[0]!.createDatabase();
  const hosts = relays.map(({ port }) => `127.0.0.1:${port}`).join(",");
  const catalog = { url: `postgres://${postgresUser}@${hosts}/${database}?sslmode=disable` };
  const folder = join(root, "objects");
  mkdirSync(folder, { recursive: true });
  const objects = bucket
    ? { url: bucket.settings.url, endpoint: bucket.proxy.endpoint, path_style: true }
    : { url: pathToFileURL(folder).href };
  const write = (role: string, keys: object = {}): void => {
    const text = JSON.stringify({ catalog, objects, admin: { port: 0 }, roles: [role], ...keys });
    writeFileSync(join(root, `${role}.json`), text);
  };
  const timing = { poll_seconds: 1, pair_wait_seconds: 0, backoff_max_seconds: 1, keep_hours: 48 };
  write("feed", { feed: timing });
  write("reader");
  write("worker");
  const location: ServiceLocation = {
    kind: "service",
    catalogUrl: catalog.url,
    objects: { url: objects.url, endpoint: bucket?.proxy.endpoint, pathStyle: true },
    scratchFolder: join(root, "writers"),
  };
  const engines = { location, pair, single, bucket, relays, database };
  const service = new TrialService({ root, ...engines });
  await service.run("migrate");
  return {
    service,
    end: async () => {
      await service.stop();
      restore();
    },
  };
}
