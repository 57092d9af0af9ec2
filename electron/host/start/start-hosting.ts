// Starts repository hosting: Git, the repositories and their three interfaces: REST, Git over HTTP, and bindings for
// code.
import type { ApiPart } from "../../services/api/api-part.ts";
import type { ApiConfig, HostConfig } from "../config/host-config.ts";
import { createClosers } from "../../platform/closers.ts";
import type { Effects } from "../../platform/effects.ts";
import { toProblem } from "../../services/hosting/artifacts-error.ts";
import type { ArtifactsNamespace } from "../../services/hosting/binding-types.ts";
import { createBindings } from "../../services/hosting/binding.ts";
import { gitPrefix, toRemote } from "../../services/hosting/git/git-route.ts";
import { createGitRunner, type GitRunner } from "../../services/hosting/git/git-runner.ts";
import { findGit, type GitAvailability } from "../../services/hosting/git/find-git.ts";
import { createGitTransport, type GitTransport } from "../../services/hosting/git/git-transport.ts";
import { endLeftovers } from "../../services/hosting/git/process-leftovers.ts";
import { createRepositories, type Repositories } from "../../services/hosting/repositories.ts";
import { repositoryLayout } from "../../services/hosting/repository-folders.ts";
import {
  createObjectReader,
  type ObjectReader,
} from "../../services/hosting/objects/hosted-object-reader.ts";
import { createObjectRoutes } from "../../services/hosting/objects/object-routes.ts";
import { createHostingRoutes } from "../../services/hosting/rest/hosting-routes.ts";
import { createTransfer } from "../../services/hosting/transfer/transfer.ts";
import type { HostedRepository } from "../../sharing/packs/shares/hosted-repository.ts";
import type { SharedApi } from "./start-api.ts";

/** Namespace of the app's own packs if the configuration binds none. */
const packNamespace = "events";

export type Bindings = Readonly<Record<string, ArtifactsNamespace>>;

type HostingConfig = Pick<HostConfig, "api" | "dataDirectory">;
type HostingEffects = Pick<Effects, "now" | "log">;

export interface RunningHosting {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly bindings: Bindings;
  /** The binding of the app's own packs; the configuration need not name it. */
  readonly packs: {
    readonly namespace: string;
    readonly binding: ArtifactsNamespace;
    /** Opens a repository for pushes from this process. @throws ArtifactsError as `checkReady` */
    readonly open: (name: string) => Promise<HostedRepository>;
  };
  /** Ends its requests, the Git processes, then the stores. Idempotent. */
  close(): Promise<void>;
}

/** Finds the Git program that would be used. */
export function findHostingGit({ git }: ApiConfig): Promise<GitAvailability> {
  return findGit({ configured: git, environment: process.env, platform: process.platform });
}

/**
 * Resolves when requests are answered. Without Git, only REST requests are.
 * @throws AppError `address-in-use`; `conflict` if another host uses the directory or a newer version wrote it
 */
export async function startHosting(
  config: HostingConfig,
  effects: HostingEffects,
  listener: Pick<SharedApi, "add">,
): Promise<RunningHosting> {
  const closers = createClosers();
  try {
    const { api } = config;
    const runner = await startGit(config, effects);
    closers.add(() => runner.close());
    // Created after the repositories, which it serves.
    const late: { transport?: GitTransport } = {};
    const beforeRemoval = async (id: string): Promise<void> => late.transport?.endRepository(id);
    const onRevoked = (tokenId: string): void => late.transport?.endToken(tokenId);
    const repositories = await openRepositories(config, { runner, beforeRemoval, onRevoked }, effects);
    closers.add(() => repositories.close());
    const objects = createObjectReader(runner);
    const transport = (late.transport = createGitTransport({
      repositories,
      runner,
      maxPackBytes: api.maxPackBytes,
      log: effects.log,
    }));
    closers.add(() => transport.close());
    const { compatibilityDate } = api;
    const { origin, remove } = await listener.add(toApiPart(repositories, { objects, transport }));
    closers.add(remove);
    const bind = (entries: ApiConfig["artifacts"]): Bindings =>
      createBindings(entries, {
        repositories,
        objects,
        toRemote: (repository) => toRemote(origin, repository),
        compatibilityDate,
      });
    const namespace = api.artifacts[0]?.namespace ?? packNamespace;
    const binding = bind([{ binding: "packs", namespace }]).packs!;
    const open = async (name: string): Promise<HostedRepository> => {
      const repository = await repositories.get(namespace, name);
      return {
        gitdir: repositories.directoryOf(repository),
        receivePack: (body, signal) => transport.receive(repository, body, signal),
      };
    };
    const packs = { namespace, binding, open };
    return { origin, bindings: bind(api.artifacts), packs, close: closers.close };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

async function startGit({ api, dataDirectory }: HostingConfig, { log }: HostingEffects): Promise<GitRunner> {
  const availability = await findHostingGit(api);
  if ("missing" in availability) log("warn", availability.missing);
  const { runningFolder: runningDirectory } = repositoryLayout(dataDirectory);
  const { platform, env: environment } = process;
  return createGitRunner({ availability, runningDirectory, environment, platform });
}

interface RepositoryTools {
  readonly runner: GitRunner;
  readonly beforeRemoval: (id: string) => Promise<void>;
  readonly onRevoked: (tokenId: string) => void;
}

/** Opens the repositories; processes and files left by an earlier host are removed once the directory is locked. */
function openRepositories(
  { api, dataDirectory }: HostingConfig,
  { runner, beforeRemoval, onRevoked }: RepositoryTools,
  { now, log }: HostingEffects,
): Promise<Repositories> {
  const { importAllow, importCaFile, maxPackBytes } = api;
  const { runningFolder: runningDirectory, gitFolder: repositoriesDirectory } =
    repositoryLayout(dataDirectory);
  const { platform } = process;
  return createRepositories({
    dataDirectory,
    transfer: createTransfer({ runner, importAllow, importCaFile, maxPackBytes }),
    now,
    log,
    beforeRemoval,
    onRevoked,
    endLeftovers: async () => {
      await endLeftovers({ runningDirectory, repositoriesDirectory, platform, log });
    },
  });
}

interface ApiTools {
  readonly objects: ObjectReader;
  readonly transport: GitTransport;
}

function toApiPart(repositories: Repositories, { objects, transport }: ApiTools): ApiPart {
  return {
    isShared: true,
    routes: [...createHostingRoutes(repositories), ...createObjectRoutes(repositories, objects)],
    toProblem,
    raw: { prefix: gitPrefix, handle: transport.handle },
  };
}
