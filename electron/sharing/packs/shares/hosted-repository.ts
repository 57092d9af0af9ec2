// Repositories of shared events in this computer's own hosting: created if missing, and pushed to within the process,
// without a token or a socket. The interfaces state what sharing needs of hosting; the host's composition provides it.
import { AppError, isAppError } from "../../../../shared/app-error.ts";
import type { RemoteAddress } from "../../../../shared/packs/pairing-code.ts";
import { mainRef, readRef } from "../../git/refs.ts";
import { listRevisionTags } from "../pack-layout.ts";
import { toStream, type PushRemote } from "../remote/push-request.ts";
import { statusError } from "../remote/remote-error.ts";

/** One namespace of hosting. Its errors have a `code` and a sentence for a person. */
export interface SharedNamespace {
  create(name: string, options: { readonly description: string }): Promise<unknown>;
  get(name: string): Promise<{
    createToken(
      scope: "read",
      ttl: number,
    ): Promise<{ readonly plaintext: string; readonly expiresAt: string }>;
  }>;
  /** Returns false if the repository did not exist. */
  delete(name: string): Promise<boolean>;
}

/** A hosted repository as pushes from this process see it. */
export interface HostedRepository {
  /** Absolute path of the bare repository; only read here. */
  readonly gitdir: string;
  /** Takes the body of a `git-receive-pack` request and returns Git's report. Its errors have an HTTP `status`. */
  receivePack(body: AsyncIterable<Buffer>, signal: AbortSignal): Promise<Buffer>;
}

/** Hosting while it is on. */
export interface Hosting {
  readonly namespace: SharedNamespace;
  readonly open: (name: string) => Promise<HostedRepository>;
  /** Returns a repository's remote over plain HTTP on this machine. */
  readonly toLocalRemote: (name: string) => string;
  /** Returns the remote for other machines with its fingerprint; undefined while sharing on the LAN is off. */
  readonly toLanAddress: (name: string) => RemoteAddress | undefined;
}

/** Opens the repository of an event, creating it if it is missing. @throws AppError */
export function openHosted(
  { namespace, open }: Hosting,
  { id, label }: { readonly id: string; readonly label: string },
): Promise<HostedRepository> {
  return toAppErrors(async () => {
    try {
      return await open(id);
    } catch (error) {
      if (codeOf(error) !== "NOT_FOUND") throw error;
    }
    await namespace.create(id, { description: label.slice(0, 200) });
    return open(id);
  });
}

/** Git's own receiver provides these. */
const capabilities: ReadonlySet<string> = new Set(["report-status", "atomic"]);

export function toPushRemote(repository: HostedRepository, signal: AbortSignal): PushRemote {
  return {
    async loadRefs() {
      const { gitdir } = repository;
      const main = await readRef(gitdir, mainRef);
      const refs = new Map(await listRevisionTags(gitdir));
      if (main !== undefined) refs.set(mainRef, main);
      return { refs, capabilities };
    },
    async push(body) {
      try {
        return toStream([await repository.receivePack(toStream(body), signal)]);
      } catch (error) {
        const status = error instanceof Error && "status" in error ? error.status : undefined;
        if (typeof status !== "number" || isAppError(error)) throw error;
        throw statusError(status, (error as Error).message);
      }
    },
    close: () => undefined,
  };
}

/** Converts hosting's errors to AppErrors. */
export async function toAppErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined || !(error instanceof Error) || error.name !== "ArtifactsError") throw error;
    const ours =
      code === "NOT_FOUND" ? "not-found" : code.startsWith("INVALID_") ? "invalid-input" : "conflict";
    throw new AppError(ours, error.message, { cause: error });
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
