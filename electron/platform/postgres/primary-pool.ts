// Connections to the host that takes writes. When one is lost, the pool is dropped and the host is looked for again.
import { setTimeout as delay } from "node:timers/promises";
import type { ClientConfig, Pool, PoolClient } from "pg";
import { AppError } from "../../../shared/app-error.ts";
import { toClientConfig, type Pg } from "./client-settings.ts";
import { AllInUseError, CommitUnknownError, isLost } from "./database-error.ts";
import type { DatabaseAddress } from "./database-url.ts";
import { findPrimary, type PrimaryHost } from "./find-primary.ts";

const shortestPauseMs = 20;
const longestPauseMs = 500;

interface Primary extends PrimaryHost {
  readonly pool: Pool;
  /** Rejects the calls that wait for a free connection: a pool that ends would leave them waiting. */
  readonly waiting: Set<(error: Error) => void>;
}

export class PrimaryPool {
  readonly #address: DatabaseAddress;
  readonly #pg: Pg;
  readonly #size: number;
  readonly #moveListeners = new Set<() => void>();
  #current: Promise<Primary> | undefined;
  #closed = false;

  constructor(address: DatabaseAddress, pg: Pg, size: number) {
    this.#address = address;
    this.#pg = pg;
    this.#size = size;
  }

  /**
   * Runs `work` on a connection. Waits at most `patienceMs` for the host and a free connection. @throws the error of
   * `work`; after a lost connection, the next call looks for the host again
   */
  async use<Result>(patienceMs: number, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const { client, current } = await this.#connect(performance.now() + patienceMs);
    let isUsable = true;
    try {
      return await work(client);
    } catch (error) {
      // An unfinished answer would be taken for that of the next question.
      isUsable = !isLost(error) && !(error instanceof CommitUnknownError);
      if (!isUsable) this.#drop(current);
      throw error;
    } finally {
      client.release(!isUsable);
    }
  }

  /** Returns the settings for a connection of the caller's own to the host that takes writes. */
  async findClientConfig(): Promise<ClientConfig> {
    const { host } = await this.#find();
    return toClientConfig(this.#address, host, this.#pg);
  }

  /**
   * Looks for a host that was promoted while the present one stayed alive: that one would give old answers for ever.
   * Returns true if there is one; the next call finds it. @throws as `findPrimary` does
   */
  async wasReplaced(): Promise<boolean> {
    const current = this.#current;
    if (!current || this.#address.hosts.length === 1) return false;
    const [present, found] = await Promise.all([current, findPrimary(this.#address, this.#pg)]);
    if (found.timeline <= present.timeline) return false;
    this.#drop(current);
    return true;
  }

  /** Calls back when the connections lead to a host that was looked for again. Returns the function that stops it. */
  onMove(listener: () => void): () => void {
    this.#moveListeners.add(listener);
    return () => void this.#moveListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const current = this.#current;
    this.#current = undefined;
    const primary = await current?.catch(() => undefined);
    if (primary) await end(primary);
  }

  async #connect(deadlineMs: number): Promise<{ client: PoolClient; current: Promise<Primary> }> {
    for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      if (this.#closed) throw new AppError("conflict", "The database is closed.");
      const current = this.#find();
      try {
        return { client: await checkOut(await current, deadlineMs), current };
      } catch (error) {
        if (error instanceof AllInUseError) throw error;
        this.#drop(current);
        const mayRecover =
          isLost(error) || (error instanceof AppError && error.code === "storage-unavailable");
        if (!mayRecover || performance.now() + pauseMs > deadlineMs) throw error;
      }
      await delay(pauseMs * (0.5 + Math.random() / 2));
    }
  }

  #find(): Promise<Primary> {
    if (this.#current) return this.#current;
    const opening = this.#open();
    this.#current = opening;
    opening.catch(() => {
      this.#drop(opening);
    });
    return opening;
  }

  async #open(): Promise<Primary> {
    const pg = this.#pg;
    const found = await findPrimary(this.#address, pg);
    const { connectionTimeoutMillis, ...config } = await toClientConfig(this.#address, found.host, pg);
    // The pool's own timeout would include waiting for a free connection.
    class TimedClient extends pg.Client {
      constructor(settings?: ClientConfig) {
        super({ ...settings, connectionTimeoutMillis });
      }
    }
    const pool = new pg.Pool({ ...config, max: this.#size, Client: TimedClient });
    const primary: Primary = { ...found, pool, waiting: new Set() };
    pool.on("connect", (client) => {
      // The connection's user gets the error too; without a listener, the process would end.
      client.on("error", () => undefined);
    });
    pool.on("error", () => {
      this.#dropPool(pool);
    });
    for (const listener of this.#moveListeners) listener();
    return primary;
  }

  #drop(dropped: Promise<Primary>): void {
    if (this.#current !== dropped) return;
    this.#current = undefined;
    void dropped.then(end).catch(() => undefined);
  }

  /** Drops the pool after an idle connection of it was lost. */
  #dropPool(pool: Pool): void {
    const current = this.#current;
    void current
      ?.then((primary) => {
        if (primary.pool === pool) this.#drop(current);
      })
      .catch(() => undefined);
  }
}

/** @throws `AllInUseError` if no connection is free in time; an error of a lost connection if the pool ends */
function checkOut({ pool, waiting }: Primary, deadlineMs: number): Promise<PoolClient> {
  const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
  waiting.add(reject);
  const giveUp = (): void => {
    if (waiting.delete(reject)) reject(new AllInUseError());
  };
  const isFull = pool.idleCount === 0 && pool.totalCount >= pool.options.max;
  // A new connection has a limit of its own.
  const timer = isFull ? setTimeout(giveUp, deadlineMs - performance.now()) : undefined;
  pool.connect().then((client) => {
    if (waiting.delete(reject)) resolve(client);
    else client.release();
  }, reject);
  return promise.finally(() => {
    clearTimeout(timer);
    waiting.delete(reject);
  });
}

function end({ pool, waiting }: Primary): Promise<void> {
  for (const reject of waiting) reject(new Error("Connection terminated: the pool has ended."));
  waiting.clear();
  return pool.end();
}
