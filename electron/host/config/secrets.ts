// Where secrets are kept that a person does not want to type again: by the system's keychain where there is one (the desktop
// shell brings that), else in the memory of this run. Names are ours and hold nothing secret.

export interface SecretKeeper {
  /** `memory` forgets everything when Echotop ends. */
  readonly kind: "keychain" | "memory";
  /** Throws `storage-failed` when the system's keeper refuses. */
  save(name: string, secret: string): Promise<void>;
  /** Undefined where there is none, or none that can be read any more. */
  find(name: string): Promise<string | undefined>;
  /** Forgetting what is not there changes nothing. */
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
