// Starts a real PostgreSQL server for tests, in a temporary folder and on loopback, and kills, restarts and removes it.
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { appendFile, chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { findFreePort, handOver, runProgram, spawnProgram } from "./postgres-programs.ts";

export const postgresUser = "echotop";
export const postgresPassword = "a password:with \\ signs";

export type Settings = Readonly<Record<string, string>>;

/** Without `fsync`, a killed server still loses nothing: only the machine must not crash. */
const testSettings: Settings = {
  fsync: "off",
  listen_addresses: "127.0.0.1",
  shared_buffers: "16MB",
  max_connections: "60",
  deadlock_timeout: "50ms",
  // It would commit between two steps of a test.
  autovacuum: "off",
  // `pg_rewind` reads back to the last checkpoint that both servers have.
  wal_keep_size: "256MB",
};

export interface ServerOptions {
  readonly settings?: Settings;
}

/** A server and its folder. Not running until `start`. */
export class PostgresServer {
  readonly folder: string;
  readonly port: number;
  #process: ChildProcess | undefined;

  constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
  }

  get dataFolder(): string {
    return join(this.folder, "data");
  }

  /** Resolves when the server accepts connections, also as a standby. */
  async start(settings: Settings = {}): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const problem = await this.#tryStart(settings);
      if (problem === undefined) return;
      // Processes of a killed server end a moment after it.
      if (attempt === 50 || !/pre-existing shared memory|could not bind/.test(problem))
        throw new Error(problem);
    }
  }

  /** Returns what the server said if it ended. */
  async #tryStart(settings: Settings): Promise<string | undefined> {
    // Given here, because `pg_rewind` copies the files of the other server.
    const own = { port: String(this.port), unix_socket_directories: this.folder, ...settings };
    const child = spawnProgram("postgres", [
      ...["-D", this.dataFolder],
      ...Object.entries(own).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ]);
    running.add(child);
    child.once("exit", () => running.delete(child));
    this.#process = child;
    const said: string[] = [];
    return new Promise((resolve) => {
      const lines = createInterface(child.stderr!);
      lines.on("line", (line) => {
        if (line.includes("ready to accept")) resolve(undefined);
        if (said.length < 200) said.push(line);
      });
      child.once("close", () => {
        resolve(said.join("\n"));
      });
    });
  }

  /** Ends the server as a power cut would. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async stop(): Promise<void> {
    await this.#end("SIGQUIT");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  /** Stops the server and removes its folder. */
  async remove(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Returns the URL of a database, without the password. */
  url(database = "postgres"): string {
    return `postgres://${postgresUser}@127.0.0.1:${this.port}/${database}?sslmode=disable`;
  }

  /** Creates a database of its own for a test: an empty one, or a copy of one that nobody uses. Returns its name. */
  async createDatabase(template = "template0"): Promise<string> {
    // Several processes of a test run may use the same server.
    const name = `test_${randomBytes(6).toString("hex")}`;
    await this.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    return name;
  }

  /** Runs SQL on a connection of its own. */
  async query<Row extends pg.QueryResultRow>(sql: string, database = "postgres"): Promise<Row[]> {
    const client = new pg.Client({
      host: "127.0.0.1",
      port: this.port,
      user: postgresUser,
      password: postgresPassword,
      database,
    });
    client.on("error", () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query<Row>(sql);
      return rows;
    } finally {
      await client.end();
    }
  }
}

/** Servers of a test process that ends without stopping them. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGQUIT");
});

/** Creates and starts a server. */
export async function startPostgres({ settings = {} }: ServerOptions = {}): Promise<PostgresServer> {
  const server = await createFolder();
  const passwordFile = join(server.folder, "password");
  await writeFile(passwordFile, postgresPassword);
  await handOver(passwordFile);
  await runProgram("initdb", [
    ...["-D", server.dataFolder, "-U", postgresUser, `--pwfile=${passwordFile}`],
    ...["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"],
    // Without them, `pg_rewind` cannot bring an old primary back.
    "--data-checksums",
  ]);
  const lines = Object.entries({ ...testSettings, ...settings }).map(
    ([name, value]) => `${name} = '${value}'\n`,
  );
  await appendFile(join(server.dataFolder, "postgresql.conf"), lines.join(""));
  await server.start();
  return server;
}

/** Creates a server's folder without a database. */
export async function createFolder(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "echotop-pg-"));
  await chmod(folder, 0o700);
  await handOver(folder);
  return new PostgresServer(folder, await findFreePort());
}
