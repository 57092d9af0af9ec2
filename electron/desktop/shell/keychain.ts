// Secrets kept through the system's keychain: Electron encrypts each with a key that the system keeps, and what is encrypted
// lies in one file of ours. Where the system has no such key, nothing is written.
import { readFile } from "node:fs/promises";
import type { SafeStorage } from "electron";
import * as z from "zod";
import { AppError } from "../../../shared/app-error.ts";
import { replaceFile } from "../../platform/disk/replace-file.ts";
import { createMutex } from "../../platform/locks/mutex.ts";
import type { Report } from "./application-options.ts";

/** What the host takes for keeping secrets. */
export interface Keychain {
  readonly kind: "keychain";
  readonly save: (name: string, secret: string) => Promise<void>;
  readonly find: (name: string) => Promise<string | undefined>;
  readonly forget: (name: string) => Promise<void>;
}

export interface KeychainOptions {
  readonly safeStorage: Pick<
    SafeStorage,
    "isAsyncEncryptionAvailable" | "encryptStringAsync" | "decryptStringAsync" | "getSelectedStorageBackend"
  >;
  /** The file of encrypted secrets; it need not be there yet. */
  readonly path: string;
  readonly platform: NodeJS.Platform;
  readonly report: Report;
}

/** Name to encrypted secret, base64. */
const KeptSecrets = z.object({ schemaVersion: z.literal(1), secrets: z.record(z.string(), z.base64()) });
type Kept = z.infer<typeof KeptSecrets>["secrets"];

/** To be called once Electron is ready. Undefined where the system offers no keychain. */
export async function openKeychain(options: KeychainOptions): Promise<Keychain | undefined> {
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
        // It is in the file still, and can be forgotten once more.
        if (!kept.has(name)) kept.set(name, encrypted);
        throw new AppError("storage-failed", "The token could not be removed from the disk.", { cause });
      }
    },
  };
}

/** On Linux without a password manager Electron would "encrypt" with a key that everybody knows. */
async function isOffered({ safeStorage, platform, report }: KeychainOptions): Promise<boolean> {
  try {
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return false;
    return (
      platform !== "linux" || !["basic_text", "unknown"].includes(safeStorage.getSelectedStorageBackend())
    );
  } catch (error) {
    report("The system's keychain cannot be used; tokens are kept for this run alone.", { error });
    return false;
  }
}

async function encrypt(safeStorage: KeychainOptions["safeStorage"], secret: string): Promise<string> {
  try {
    return (await safeStorage.encryptStringAsync(secret)).toString("base64");
  } catch (cause) {
    throw new AppError("storage-failed", "The system's keychain refused to keep the token.", { cause });
  }
}

/** Undefined when the key is another one than it was encrypted with: another user, another machine, a keychain made anew. */
async function decrypt(
  { safeStorage, report }: KeychainOptions,
  encrypted: string,
): Promise<string | undefined> {
  try {
    return (await safeStorage.decryptStringAsync(Buffer.from(encrypted, "base64"))).result;
  } catch (error) {
    report("A kept token can no longer be read from the system's keychain.", { error });
    return undefined;
  }
}

async function loadKept({ path, report }: KeychainOptions): Promise<Kept> {
  try {
    return KeptSecrets.parse(JSON.parse(await readFile(path, "utf8"))).secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      report("The kept tokens cannot be read; they start anew.", { error });
    return {};
  }
}

async function writeKept(path: string, secrets: Kept): Promise<void> {
  try {
    await replaceFile(path, `${JSON.stringify({ schemaVersion: 1, secrets })}\n`);
  } catch (cause) {
    throw new AppError("storage-failed", "The token could not be kept on disk.", { cause });
  }
}
