import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generate } from "selfsigned";
import { beforeAll, describe, expect, test } from "vitest";
import { handOver, hasPostgres, postgresNeeds } from "../../support/engines/postgres-programs.ts";
import { openTestDatabase, usePostgres } from "./support/test-server.ts";

describe.skipIf(!hasPostgres)(`a PostgreSQL server with TLS${postgresNeeds}`, () => {
  const server = usePostgres();
  let certificate: string;

  beforeAll(async () => {
    const made = await generate([{ name: "commonName", value: "db1.example" }], {
      keyType: "ec",
      extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
    });
    certificate = join(server().folder, "server.crt");
    const key = join(server().folder, "server.key");
    await writeFile(certificate, made.cert);
    await writeFile(key, made.private, { mode: 0o600 });
    await Promise.all([certificate, key].map(handOver));
    await server().stop();
    await server().start({ ssl: "on", ssl_cert_file: certificate, ssl_key_file: key });
  });

  const open = async (host: string, options: string): Promise<unknown> => {
    const url = server().url().replace("127.0.0.1", host).replace("sslmode=disable", options);
    const database = await openTestDatabase(url);
    const rows = await database.read("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
    return rows[0]?.ssl;
  };

  test("each sslmode trusts what libpq trusts with it", async () => {
    const root = `sslrootcert=${encodeURIComponent(certificate)}`;
    expect(await open("127.0.0.1", "sslmode=disable")).toBe(false);
    expect(await open("127.0.0.1", "sslmode=require")).toBe(true);
    expect(await open("127.0.0.1", `sslmode=verify-ca&${root}`)).toBe(true);
    expect(await open("localhost", `sslmode=verify-full&${root}`)).toBe(true);
    await expect(open("127.0.0.1", `sslmode=verify-full&${root}`)).rejects.toThrow("is for another name");
    await expect(open("localhost", "sslmode=verify-full&sslrootcert=system")).rejects.toThrow(
      "is not trusted",
    );
    await expect(open("localhost", "sslmode=verify-ca&sslrootcert=/nowhere")).rejects.toThrow(
      "cannot be read",
    );
    await expect(open("localhost", "sslmode=verify-full")).rejects.toThrow("sslrootcert=FILE");
  });
});
