// Stores secrets with the system's keychain: Electron encrypts each with a key of the system; one file holds the
// results. Without such a key nothing is written.
import { readFile } from "node:fs/promises";
import type { SafeStorage } from "electron";
import * as z from "zod";
import { AppError } from "../../../shared/app-error.ts";
import { replaceFile } from "../../platform/disk/replace-file.ts";
import { createMutex } from "../../platform/locks/mutex.ts";
import type { SecretKeeper } from "../../host/config/secrets.ts";
import type { Report } from "./application-options.ts";

export interface KeychainOptions {
  readonly safeStorage: Pick<
    SafeStorage,
    "isAsyncEncryptionAvailable" | "encryptStringAsync" | "decryptStringAsync" | "getSelectedStorageBackend"
  >;
  /** File of encrypted secrets; it may be missing. */
  readonly path: string;
  readonly platform: NodeJS.Platform;
  readonly report: Report;
}

/** Encrypted secrets by name, base64. */
const StoredSecrets = z.object({ schemaVersion: z.literal(1), secrets: z.record(z.string(), z.base64()) });
type Kept = z.infer<typeof StoredSecrets>["secrets"];

/** Resolves with undefined if the system has no keychain. Electron must be ready. */
export async function openKeychain(options: KeychainOptions): Promise<SecretKeeper | undefined> {
  if (!(await isOffered(options))) return undefined;
  const { safeStorage, path } = options;
  const kept = new Map(Object.entries(await loadKept(options)));
  const mutex = createMutex();
  /** Writes the secrets as they are when its turn comes. */
  const write = (): Promise<void> => mutex(() => writeKept(path, Object.fromEntries(kept)));
  return {
    kind: "keychain",
    save: async (name, secret) => {
      kept.set(name, await encrypt(safeStorage, secret));
      await write();
    },
    find: async (name) => {
      const encrypted = kept.get(name);
      return encrypted === undefined ? undefined : decrypt(options, encrypted);
    },
    forget: async (name) => {
      const encrypted = kept.get(name);
      if (encrypted === undefined) return;
      kept.delete(name);
      try {
        await write();
      } catch (cause) {
        // The file still has it: the caller may retry.
        if (!kept.has(name)) kept.set(name, encrypted);
        throw new AppError("storage-failed", "The token could not be removed from the disk.", { cause });
      }
    },
  };
}

/** Without a password manager, Electron on Linux encrypts with a well-known key. */
async function isOffered({ safeStorage, platform, report }: KeychainOptions): Promise<boolean> {
  try {
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return false;
    return (
      platform !== "linux" || !["basic_text", "unknown"].includes(safeStorage.getSelectedStorageBackend())
    );
  } catch (error) {
    report("The system's keychain cannot be used; tokens are stored only until Echotop ends.", { error });
    return false;
  }
}

async function encrypt(safeStorage: KeychainOptions["safeStorage"], secret: string): Promise<string> {
  try {
    return (await safeStorage.encryptStringAsync(secret)).toString("base64");
  } catch (cause) {
    throw new AppError("storage-failed", "The system's keychain refused to store the token.", { cause });
  }
}

/** Returns undefined if the key has changed: another user, another computer, or a new keychain. */
async function decrypt(
  { safeStorage, report }: KeychainOptions,
  encrypted: string,
): Promise<string | undefined> {
  try {
    return (await safeStorage.decryptStringAsync(Buffer.from(encrypted, "base64"))).result;
  } catch (error) {
    report("A stored token can no longer be read with the system's keychain.", { error });
    return undefined;
  }
}

async function loadKept({ path, report }: KeychainOptions): Promise<Kept> {
  try {
    return StoredSecrets.parse(JSON.parse(await readFile(path, "utf8"))).secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      report("The stored tokens cannot be read and are discarded.", { error });
    return {};
  }
}

async function writeKept(path: string, secrets: Kept): Promise<void> {
  try {
    await replaceFile(path, `${JSON.stringify({ schemaVersion: 1, secrets })}\n`);
  } catch (cause) {
    throw new AppError("storage-failed", "The token could not be stored on disk.", { cause });
  }
}
