// Two readers of a service behind a balancer: processes of the command line, reached at one address.
import { hasPostgres } from "../../electron/support/engines/postgres-programs.ts";
import { startHost, type RunningHost } from "../../electron/support/host-process.ts";
import { hasBalancer, startBalancer, type BalancedUnit, type Balancer } from "./balancer.ts";
import { findFreePort } from "./free-port.ts";
import type { ServiceSite } from "./service-site.ts";

export const hasTwoReaders = hasBalancer && hasPostgres;

/** Follows the name of a test, so that a skipped one says what it needs. */
export const twoReadersNeeds = hasTwoReaders ? "" : " (needs: apt-get install haproxy postgresql)";

export interface ReadersOptions {
  readonly unit?: BalancedUnit;
  /** Keys of the readers' configuration. */
  readonly keys?: Readonly<Record<string, unknown>>;
}

export class TwoReaders {
  readonly #site: ServiceSite;
  readonly #port: number;
  readonly #config: string;
  readonly #ended: RunningHost[] = [];
  #readers: readonly [RunningHost, RunningHost];
  #balancer: Balancer | undefined;

  private constructor(
    site: ServiceSite,
    { port, config, readers }: { port: number; config: string; readers: readonly [RunningHost, RunningHost] },
  ) {
    this.#site = site;
    this.#port = port;
    this.#config = config;
    this.#readers = readers;
  }

  /** The database of the service must have been migrated. */
  static async start(
    site: ServiceSite,
    { unit = "requests", keys = {} }: ReadersOptions = {},
  ): Promise<TwoReaders> {
    const port = await findFreePort();
    const config = site.writeConfig("readers", { roles: ["reader"], admin: { port: 0 }, ...keys });
    const readers = await startBoth(site, { port, config, ports: ["0", "0"] });
    const started = new TwoReaders(site, { port, config, readers });
    const [first, second] = readers.map(({ origin }) => new URL(origin).host) as [string, string];
    const options = { port, readers: [first, second], unit, folder: site.folder } as const;
    started.#balancer = await startBalancer(options);
    return started;
  }

  /** Address of the balancer, which is the service's for its clients. */
  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get each(): readonly [RunningHost, RunningHost] {
    return this.#readers;
  }

  /** Returns what the readers have said on standard error, and those before a restart. */
  stderr(): string {
    return [...this.#ended, ...this.#readers].map(({ stderr }) => stderr()).join("");
  }

  /** Starts both again at their addresses. They have nothing cached. */
  async restart(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.kill()));
    this.#ended.push(...this.#readers);
    const [first, second] = this.#readers.map(({ origin }) => new URL(origin).port) as [string, string];
    const options = { port: this.#port, config: this.#config, ports: [first, second] } as const;
    this.#readers = await startBoth(this.#site, options);
  }

  /** Interrupts both; resolves with their exit statuses. */
  async stop(): Promise<(number | null)[]> {
    const statuses = await Promise.all(this.#readers.map((reader) => reader.stop()));
    await this.#balancer?.stop();
    this.#balancer = undefined;
    return statuses;
  }
}

interface StartOptions {
  /** Port of the balancer. */
  readonly port: number;
  readonly config: string;
  readonly ports: readonly [string, string];
}

let started = 0;

async function startBoth(
  site: ServiceSite,
  { port, config, ports }: StartOptions,
): Promise<readonly [RunningHost, RunningHost]> {
  const names = ["127.0.0.1", "localhost"].flatMap((name) => ["--host-name", `${name}:${port}`]);
  const start = (own: string): Promise<RunningHost> => {
    started += 1;
    const args = ["--config", config, "--port", own, ...names];
    return startHost(`${site.folder}/reader-${started}`, args);
  };
  return Promise.all([start(ports[0]), start(ports[1])]);
}
