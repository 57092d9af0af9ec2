// Starts a host with repository hosting, and creates tokens and repositories.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, hasCurl } from "../support/curl.ts";
import {
  makeTemporaryDirectory,
  removeDirectory,
  startHost,
  type RunningHost,
} from "../../electron/support/host-process.ts";
import { createPlatformToken } from "../support/platform-token.ts";
import { hasGit } from "./git.ts";

export const namespace = "events";

export interface Hosting {
  /** A temporary folder for clones, removed at the end. */
  readonly folder: string;
  readonly data: string;
  /** Origin of the API listener. */
  readonly api: string;
  /** `…/accounts/local/artifacts/namespaces/events` */
  readonly base: string;
  readonly edit: string;
  readonly read: string;
  readonly host: () => RunningHost;
  /** Restarts the host with the same data and port. */
  restart(end?: "interrupt" | "kill"): Promise<void>;
  stop(): Promise<void>;
}

export interface HostingOptions {
  /** Keys of `repositories` in the configuration file, in addition to the port. */
  readonly repositories?: Readonly<Record<string, unknown>>;
  /** Added to the environment of the host's process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Programs that are missing, for the titles of skipped tests. */
export const missing = [...(hasGit ? [] : ["Git"]), ...(hasCurl ? [] : ["curl"])].join(" and ");

export async function startHosting({ repositories = {}, env = {} }: HostingOptions = {}): Promise<Hosting> {
  const folder = makeTemporaryDirectory("hosting");
  const data = join(folder, "data");
  const config = join(folder, "echotop.json");
  const serve = (port: number): Promise<RunningHost> => {
    const file = {
      compatibility_date: "2026-11-20",
      account_id: "local",
      artifacts: [{ binding: "PACKS", namespace }],
      repositories: { port, ...repositories },
    };
    writeFileSync(config, JSON.stringify(file));
    return startHost(data, ["--config", config], env);
  };
  let host = await serve(0);
  const api = host.api!;
  const [edit, read] = await Promise.all([
    createPlatformToken(data, "artifacts:edit"),
    createPlatformToken(data, "artifacts:read"),
  ]);
  return {
    folder,
    data,
    api,
    base: `${api}/client/v4/accounts/local/artifacts/namespaces/${namespace}`,
    edit,
    read,
    host: () => host,
    async restart(end = "interrupt") {
      if (end === "kill") await host.kill();
      else await host.stop();
      host = await serve(Number(new URL(api).port));
    },
    async stop() {
      await host.stop();
      removeDirectory(folder);
    },
  };
}

export interface CreatedRepository {
  readonly id: string;
  readonly name: string;
  readonly remote: string;
  readonly token: string;
}

export async function createRepository(
  { base, edit }: Hosting,
  draft: { readonly name: string } & Readonly<Record<string, unknown>>,
): Promise<CreatedRepository> {
  const { status, envelope } = await call(`${base}/repos`, { token: edit, method: "POST", json: draft });
  if (status !== 201) throw new Error(`create answered ${status}: ${JSON.stringify(envelope.errors)}`);
  return envelope.result as CreatedRepository;
}

export async function createRepositoryToken(
  { base, edit }: Hosting,
  draft: { readonly repo: string } & Readonly<Record<string, unknown>>,
): Promise<{ readonly id: string; readonly plaintext: string; readonly expires_at: string }> {
  const { status, envelope } = await call(`${base}/tokens`, { token: edit, method: "POST", json: draft });
  if (status !== 201) throw new Error(`tokens answered ${status}: ${JSON.stringify(envelope.errors)}`);
  return envelope.result as { id: string; plaintext: string; expires_at: string };
}
