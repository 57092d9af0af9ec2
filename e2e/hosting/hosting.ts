// A host with repository hosting, and what its users do first: tokens and repositories.
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
  /** A folder for clones and the like, removed at the end. */
  readonly folder: string;
  readonly data: string;
  /** The API listener's origin. */
  readonly api: string;
  /** `…/accounts/local/artifacts/namespaces/events` */
  readonly base: string;
  readonly edit: string;
  readonly read: string;
  readonly host: () => RunningHost;
  /** Ends the host and starts it again on the same data and port. */
  restart(end?: "interrupt" | "kill"): Promise<void>;
  stop(): Promise<void>;
}

export interface HostingOptions {
  /** Of the configuration file's `repositories`, beside the port. */
  readonly repositories?: Readonly<Record<string, unknown>>;
  /** Of the host's process, beside what it has. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What a skipped test says of the machine. */
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
