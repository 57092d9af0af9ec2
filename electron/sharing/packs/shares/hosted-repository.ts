// The repository of a shared event, by the function binding of hosting: made when it is missing, written with a token of its
// own. What this part needs of the binding is written down here; the binding satisfies it.
import { AppError } from "../../../../shared/app-error.ts";
import { parseRemoteAddress, type RemoteAddress } from "../../../../shared/packs/pairing-code.ts";

interface Minted {
  readonly plaintext: string;
  readonly expiresAt: string;
}

interface RepositoryHandle {
  createToken(scope: "read" | "write", ttl: number): Promise<Minted>;
}

/** One namespace of hosting. Its errors have a `code`, and a sentence for a person. */
export interface SharedNamespace {
  create(name: string, options: { readonly description: string }): Promise<unknown>;
  get(name: string): Promise<RepositoryHandle>;
  /** False when there was none. */
  delete(name: string): Promise<boolean>;
}

/** Hosting while it is on. */
export interface Hosting {
  readonly namespace: SharedNamespace;
  /** The remote of a repository over plain HTTP on this machine. */
  readonly toLocalRemote: (name: string) => string;
  /** The remote for other machines with its fingerprint; undefined while sharing on the LAN is off. */
  readonly toLanAddress: (name: string) => RemoteAddress | undefined;
}

export interface HostedRepository {
  readonly address: RemoteAddress;
  readonly token: string;
}

const writeTtlSeconds = 3600;
/** A token that ends during a push would be refused amid it. */
const spareMs = 30 * 60_000;

/** Gives the repository of an event ready to be pushed to. Throws AppError. */
export function createHostedRepositories(now: () => Date): {
  open(hosting: Hosting, eventId: string, label: string): Promise<HostedRepository>;
  /** The next `open` makes a new token: the one before may be revoked, or of a repository that is gone. */
  forget(eventId: string): void;
} {
  const tokens = new Map<string, Minted>();
  return {
    async open({ namespace, toLocalRemote }, eventId, label) {
      const handle = await inWords(() => findOrCreate(namespace, eventId, label));
      let token = tokens.get(eventId);
      if (!token || Date.parse(token.expiresAt) - now().getTime() < spareMs) {
        token = await inWords(() => handle.createToken("write", writeTtlSeconds));
        tokens.set(eventId, token);
      }
      return { address: parseRemoteAddress(toLocalRemote(eventId)), token: token.plaintext };
    },
    forget(eventId) {
      tokens.delete(eventId);
    },
  };
}

async function findOrCreate(
  namespace: SharedNamespace,
  name: string,
  label: string,
): Promise<RepositoryHandle> {
  try {
    return await namespace.get(name);
  } catch (error) {
    if (codeOf(error) !== "NOT_FOUND") throw error;
  }
  await namespace.create(name, { description: label.slice(0, 200) });
  return namespace.get(name);
}

/** What hosting says, as an error of ours. */
export async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
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
