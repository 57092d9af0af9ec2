// Passwords and keys of a service stay in the environment: broken in many ways, it repeats them nowhere.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { startTestBucket, type TestBucket } from "../../electron/catalog/objects/support/test-bucket.ts";
import { cephGateway } from "../../electron/support/engines/ceph-gateway.ts";
import { hasPostgres, postgresNeeds } from "../../electron/support/engines/postgres-programs.ts";
import { postgresPassword, postgresUser } from "../../electron/support/engines/postgres-server.ts";
import { setVariables } from "../../electron/support/environment.ts";
import { echotopProgram, runCommand, startHost } from "../../electron/support/host-process.ts";
import { MrmsManifest } from "../../shared/contract/index.ts";
import { writeWindows } from "../support/storm-files.ts";
import { useService } from "./service-trial.ts";

const needs = cephGateway.isInstalled() ? postgresNeeds : ` (needs Ceph: ${cephGateway.install})`;

/** Wrong ones that a service may be given. */
const wrong = {
  PGPASSWORD: "wr0ng/passw0rd:7731",
  AWS_ACCESS_KEY_ID: "AKIAWR0NGKEY7731",
  AWS_SECRET_ACCESS_KEY: "wr0ng+secret/7731",
  AWS_SESSION_TOKEN: "wr0ng-t0ken-7731",
};

/** Returns the forms in which a secret could be written down. */
function formsOf(secret: string): readonly string[] {
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  return [
    ...forms,
    ...(["base64", "base64url", "hex"] as const).map((as) => Buffer.from(secret).toString(as)),
  ];
}

describe.skipIf(!hasPostgres || !cephGateway.isInstalled())(`the secrets of a service${needs}`, () => {
  let bucket: TestBucket | undefined;
  afterAll(() => bucket?.close());
  const service = useService(async () => {
    bucket = await startTestBucket(cephGateway);
    return { url: bucket.settings.url, endpoint: bucket.proxy.endpoint, path_style: true };
  });

  function expectNoSecret(where: string, text: string): void {
    const { accessKeyId, secretAccessKey } = bucket!.server;
    const secrets = [postgresPassword, accessKeyId, secretAccessKey, ...Object.values(wrong)];
    for (const form of secrets.flatMap(formsOf))
      expect(text.includes(form), `${form} in ${where}`).toBe(false);
  }

  /** Searches the command lines of the program's processes. */
  function expectNoneInProcesses(): void {
    for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      let commandLine = "";
      try {
        commandLine = readFileSync(join("/proc", id, "cmdline"), "latin1");
      } catch {
        // The process has ended.
      }
      if (commandLine.includes(echotopProgram)) expectNoSecret(`the command line of ${id}`, commandLine);
    }
  }

  function expectNoneInFiles(folder: string): number {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const { parentPath, name } of files)
      expectNoSecret(name, `${name} ${readFileSync(join(parentPath, name), "latin1")}`);
    return files.length;
  }

  test("are not in what a command says when it cannot start", { timeout: 120_000 }, async () => {
    const { server, objects, writeConfig, run, folder } = service();
    expect((await run("migrate")).status).toBe(0);
    const url = (from: string | RegExp, to: string): Readonly<Record<string, unknown>> => {
      const { catalog } = JSON.parse(readFileSync(service().config, "utf8")) as { catalog: { url: string } };
      expect(catalog.url).toMatch(from);
      return { catalog: { url: catalog.url.replace(from, to) } };
    };
    const { PGPASSWORD, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = wrong;
    const tls = bucket!.proxy.endpoint.replace("http:", "https:");
    const cases: readonly (readonly [
      problem: RegExp,
      keys: Readonly<Record<string, unknown>>,
      variables: Readonly<Record<string, string>>,
    ])[] = [
      [/PGPASSWORD/, {}, { PGPASSWORD }],
      [/AWS_SECRET_ACCESS_KEY/, {}, { AWS_SECRET_ACCESS_KEY }],
      [/AWS_ACCESS_KEY_ID/, {}, { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN }],
      [/No database of `catalog\.url` answers/, url(`:${server.port}`, ":1"), {}],
      [/TLS/, url("sslmode=disable", "sslmode=require"), {}],
      [/`objects\.endpoint` refuses/, { objects: { ...objects, endpoint: "http://127.0.0.1:1" } }, {}],
      [/`objects\.endpoint` does not speak TLS/, { objects: { ...objects, endpoint: tls } }, {}],
      [/catalog\.url/, url(`${postgresUser}@`, `${postgresUser}:${encodeURIComponent(PGPASSWORD)}@`), {}],
      [/objects\.url/, { objects: { ...objects, url: `s3://${AWS_ACCESS_KEY_ID}:x@echotop/a` } }, {}],
    ];
    for (const [index, [problem, keys, variables]] of cases.entries()) {
      const config = writeConfig(`broken-${index}`, keys);
      const restore = setVariables(variables);
      const data = join(folder, `scratch-${index}`);
      const asked = ["serve", "--no-open", "--port", "0", "--data", data, "--config", config];
      const { status, lines, stderr } = await runCommand(asked);
      restore();
      expect([status, lines, stderr.trim().split("\n").length]).toEqual([expect.any(Number), [], 1]);
      expect(stderr).toMatch(problem);
      expectNoSecret(`standard error of case ${index}`, stderr);
    }
  });

  test("are not in logs, metrics, answers, command lines and files of a service that breaks", async () => {
    const { server, writeConfig, run, folder } = service();
    expect((await run("migrate")).status).toBe(0);
    const [file, later] = writeWindows(join(folder, "files"), { first: 0, count: 2 });
    expect((await run("ingest", "--event", "storm", file!)).status).toBe(0);
    const inbox = join(folder, "files");
    const config = writeConfig("running", {
      admin: { port: 0 },
      log: { format: "json" },
      feed: { poll_seconds: 1, pair_wait_seconds: 0, backoff_max_seconds: 1 },
    });
    const scratch = join(folder, "running");
    const host = await startHost(scratch, [
      "--config",
      config,
      "--feed",
      `folder:${inbox}`,
      "--feed-event",
      "fed",
    ]);
    onTestFinished(() => host.kill());
    const answers: string[] = [];
    const ask = async (origin: string, path: string): Promise<number> => {
      const answer = await fetch(origin + path);
      answers.push(JSON.stringify([...answer.headers]), await answer.text());
      return answer.status;
    };
    const askAll = async (): Promise<void> => {
      const paths = [
        "/v1/storm-events",
        "/v1/storm-events/storm/manifest",
        "/v1/data/status",
        "/app/feeds",
        "/none",
      ];
      for (const path of paths) await ask(host.origin, path);
      for (const path of ["/metrics", "/livez", "/readyz"]) await ask(host.admin!, path);
      expectNoneInProcesses();
    };
    await askAll();
    const manifest: unknown = await (await fetch(`${host.origin}/v1/storm-events/storm/manifest`)).json();
    const { layers } = MrmsManifest.parse(manifest);

    // The store refuses, and repeats what was signed.
    bucket!.proxy.choose = () => 403;
    expect(await ask(host.origin, layers[0]!.imageUrl)).toBeGreaterThanOrEqual(500);
    const refused = await run("ingest", "--event", "storm", later!);
    expect(refused.status).toBe(1);
    answers.push(refused.stderr, JSON.stringify(refused.lines));
    await askAll();
    bucket!.proxy.choose = () => undefined;
    expect(await ask(host.origin, layers[0]!.imageUrl)).toBe(200);

    // The database refuses the password.
    await server.query(`ALTER ROLE ${postgresUser} PASSWORD 'another'`);
    await server.kill();
    await server.start();
    await expect
      .poll(() => ask(host.origin, "/v1/storm-events/none/manifest"), { timeout: 20_000 })
      .not.toBe(404);
    await askAll();

    await host.stop();
    const log = host.stderr();
    expect(log).toContain('"level":"error"');
    expectNoSecret("the log", log);
    expectNoSecret("an answer", answers.join("\n"));
    expect(expectNoneInFiles(scratch)).toBeGreaterThan(0);
  });
});
