import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openKeychain, type KeychainOptions } from "./keychain.ts";

/** A fake cipher: reverses the bytes, with a key that a test may change. */
function createStorage(key = "k") {
  return {
    key,
    isAsyncEncryptionAvailable: vi.fn(() => Promise.resolve(true)),
    getSelectedStorageBackend: vi.fn(() => "gnome_libsecret" as const),
    encryptStringAsync: vi.fn((text: string) => Promise.resolve(Buffer.from(`${key}:${text}`).reverse())),
    decryptStringAsync: vi.fn((bytes: Buffer) => {
      const [usedKey, result = ""] = Buffer.from(bytes).reverse().toString().split(":");
      return usedKey === key
        ? Promise.resolve({ result, shouldReEncrypt: false })
        : Promise.reject(new Error("wrong key"));
    }),
  };
}

describe("the keychain", () => {
  let folder: string;
  let options: KeychainOptions;
  const report = vi.fn();

  beforeEach(async () => {
    report.mockClear();
    folder = await mkdtemp(join(tmpdir(), "echotop-keychain-"));
    const path = join(folder, "inner", "secrets.json");
    options = { safeStorage: createStorage(), path, platform: "linux", report };
  });

  afterEach(() => rm(folder, { recursive: true }));

  test("returns stored secrets, also after a restart, and writes none unencrypted", async () => {
    const first = await openKeychain(options);
    await Promise.all([first!.save("pack:iowa", "art_v1_secret"), first!.save("pack:ohio", "other")]);
    expect(await first!.find("pack:iowa")).toBe("art_v1_secret");
    expect(await readFile(options.path, "utf8")).not.toContain('secret"');
    expect(await readFile(options.path, "utf8")).not.toContain("art_v1");
    const second = await openKeychain(options);
    expect(await second!.find("pack:iowa")).toBe("art_v1_secret");
    expect(await second!.find("pack:ohio")).toBe("other");
  });

  test("forgets permanently", async () => {
    const keychain = await openKeychain(options);
    await keychain!.save("pack:iowa", "secret");
    await keychain!.forget("pack:iowa");
    await keychain!.forget("pack:never");
    expect(await keychain!.find("pack:iowa")).toBeUndefined();
    expect(await (await openKeychain(options))!.find("pack:iowa")).toBeUndefined();
  });

  test("still has a secret that the disk refused to remove, until it can be removed", async () => {
    const keychain = await openKeychain(options);
    await keychain!.save("pack:iowa", "secret");
    // A folder in its place cannot be replaced.
    await rm(options.path);
    await mkdir(options.path);
    await expect(keychain!.forget("pack:iowa")).rejects.toMatchObject({
      code: "storage-failed",
      detail: "The token could not be removed from the disk.",
    });
    expect(await keychain!.find("pack:iowa")).toBe("secret");
    await rm(options.path, { recursive: true });
    await keychain!.forget("pack:iowa");
    expect(await (await openKeychain(options))!.find("pack:iowa")).toBeUndefined();
  });

  test("is not offered if the system has none, or only one with a well-known key", async () => {
    const safeStorage = createStorage();
    const basic = { ...safeStorage, getSelectedStorageBackend: () => "basic_text" as const };
    expect(await openKeychain({ ...options, safeStorage: basic })).toBeUndefined();
    expect(await openKeychain({ ...options, safeStorage: basic, platform: "darwin" })).toBeDefined();
    const none = { ...safeStorage, isAsyncEncryptionAvailable: () => Promise.resolve(false) };
    expect(await openKeychain({ ...options, safeStorage: none })).toBeUndefined();
    const broken = { ...safeStorage, isAsyncEncryptionAvailable: () => Promise.reject(new Error("no bus")) };
    expect(await openKeychain({ ...options, safeStorage: broken })).toBeUndefined();
    expect(report).toHaveBeenCalledOnce();
  });

  test("has no secret that was encrypted with another key", async () => {
    const keychain = await openKeychain(options);
    await keychain!.save("pack:iowa", "secret");
    const later = await openKeychain({ ...options, safeStorage: createStorage("other") });
    expect(await later!.find("pack:iowa")).toBeUndefined();
    expect(report).toHaveBeenCalledOnce();
  });

  test("starts empty if the file is damaged", async () => {
    await (await openKeychain(options))!.save("pack:iowa", "secret");
    await writeFile(options.path, "{");
    const keychain = await openKeychain(options);
    expect(await keychain!.find("pack:iowa")).toBeUndefined();
    await keychain!.save("pack:iowa", "newer");
    expect(await (await openKeychain(options))!.find("pack:iowa")).toBe("newer");
  });

  test("reports a refusal without the secret", async () => {
    const refusing = { ...createStorage(), encryptStringAsync: () => Promise.reject(new Error("locked")) };
    const keychain = await openKeychain({ ...options, safeStorage: refusing });
    await expect(keychain!.save("pack:iowa", "secret")).rejects.toThrow(
      /^The system's keychain refused to store/,
    );
  });
});
