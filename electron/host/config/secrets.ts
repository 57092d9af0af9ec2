// Stores secrets that a person should not have to type again. The desktop shell brings the system's keychain; without
// it they are kept in memory.

export interface SecretKeeper {
  /** `memory` loses everything when Echotop ends. */
  readonly kind: "keychain" | "memory";
  /** Names are not secret. Throws `storage-failed` if the keychain refuses. */
  save(name: string, secret: string): Promise<void>;
  /** Resolves with undefined if there is none, or none that can still be read. */
  find(name: string): Promise<string | undefined>;
  /** Does nothing if there is none. */
  forget(name: string): Promise<void>;
}

export function createMemoryKeeper(): SecretKeeper {
  const secrets = new Map<string, string>();
  return {
    kind: "memory",
    save: (name, secret) => {
      secrets.set(name, secret);
      return Promise.resolve();
    },
    find: (name) => Promise.resolve(secrets.get(name)),
    forget: (name) => {
      secrets.delete(name);
      return Promise.resolve();
    },
  };
}
