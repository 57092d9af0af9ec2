// A connection that receives notifications. They are hints: after each new connection the caller is told to look, since
// some may have been missed. A heartbeat finds out that the connection is silently dead.
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import { loadPg } from "./client-settings.ts";
import type { PrimaryPool } from "./primary-pool.ts";

export interface ListenOptions {
  readonly channel: string;
  readonly onHint: () => void;
  /** Time between two heartbeats; default 2 s. */
  readonly heartbeatMs?: number;
}

export interface Listening {
  close(): Promise<void>;
}

const defaultHeartbeatMs = 2_000;
/** Heartbeats between two looks for a newer primary. */
const lookEvery = 5;
const answerMs = 1_000;
const shortestPauseMs = 50;
const longestPauseMs = 1_000;

export function listen(
  pool: PrimaryPool,
  { channel, onHint, heartbeatMs = defaultHeartbeatMs }: ListenOptions,
): Listening {
  const closing = new AbortController();
  let moved = new AbortController();
  const stop = pool.onMove(() => {
    moved.abort();
  });

  /** Returns when the connection is lost or the service has moved. */
  const stayConnected = async (onConnected: () => void): Promise<void> => {
    const config = await pool.findClientConfig();
    moved = new AbortController();
    const ended = AbortSignal.any([closing.signal, moved.signal]);
    const client = await createClient({ ...config, query_timeout: answerMs });
    try {
      await client.connect();
      client.on("notification", onHint);
      client.once("end", () => {
        moved.abort();
      });
      await client.query(`LISTEN ${channel}`);
      onConnected();
      onHint();
      for (let beat = 1; !ended.aborted; beat += 1) {
        await delay(heartbeatMs, undefined, { signal: ended, ref: false });
        await client.query("SELECT 1");
        if (beat % lookEvery === 0 && (await pool.wasReplaced())) return;
      }
    } finally {
      destroy(client);
    }
  };

  const run = async (): Promise<void> => {
    let pauseMs = shortestPauseMs;
    while (!closing.signal.aborted) {
      try {
        await stayConnected(() => {
          pauseMs = shortestPauseMs;
        });
      } catch {
        // Readers get this error themselves; here it is only time to try again.
      }
      await delay(pauseMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  };
  const done = run();
  return {
    close: async () => {
      stop();
      closing.abort();
      await done;
    },
  };
}

async function createClient(config: object): Promise<Client> {
  const { Client: PgClient } = await loadPg();
  const client = new PgClient(config);
  client.on("error", () => undefined);
  return client;
}

/** Closes at once: a dead connection would never answer a goodbye. */
function destroy(client: Client): void {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
  stream.destroy();
}
