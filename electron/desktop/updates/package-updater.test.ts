// Updates with electron-updater's own classes, a real server and real files.
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connectUpdates, type UpdatePlace } from "./connect-updates.ts";
import type { PackageUpdater } from "./package-updater.ts";
import { signatureNameOf, signRelease } from "./release-signature.ts";
import { openReleaseSite, toMetadata, type ReleaseSite } from "./support/release-site.ts";

const { privateKey } = generateKeyPairSync("ed25519");
const running = Buffer.from("#!/bin/sh\n# Echotop 0.1.0\n");
const newer = Buffer.concat([Buffer.from("#!/bin/sh\n# Echotop 0.2.0\n"), Buffer.alloc(300_000, 7)]);
const metadata = "latest-linux.yml";
const image = "Echotop-0.2.0.AppImage";

let site: ReleaseSite;
let folder: string;
let appImage: string;
let place: UpdatePlace;

beforeEach(async () => {
  site = await openReleaseSite({ key: privateKey });
  site.publish({
    version: "0.2.0",
    files: { [image]: newer, "echotop_0.2.0_amd64.deb": Buffer.from("deb") },
  });
  folder = mkdtempSync(join(tmpdir(), "echotop-updates-"));
  appImage = join(folder, "Echotop.AppImage");
  writeFileSync(appImage, running);
  vi.stubEnv("APPIMAGE", appImage);
  place = {
    isPackaged: true,
    machine: { platform: "linux", arch: "x64" },
    version: "0.1.0",
    trust: { publicKey: site.publicKey, publisherNames: [] },
    dataDirectory: folder,
    fetch: globalThis.fetch,
    signal: new AbortController().signal,
    report: vi.fn(),
  };
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

const connect = (change: Partial<UpdatePlace> = {}): Promise<PackageUpdater> =>
  connectUpdates({ ...place, ...change }, site.url);

/** Checks, loads and installs, as far as that goes. */
async function update(change: Partial<UpdatePlace> = {}): Promise<string | undefined> {
  const updater = await connect(change);
  const version = await updater.check();
  if (version === undefined) return undefined;
  await updater.download();
  await updater.install();
  return version;
}

/** Returns the files of loaded updates. */
function loadedFiles(): string[] {
  const updates = join(folder, "updates");
  if (!existsSync(updates)) return [];
  return readdirSync(updates, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

function expectNothingChanged(): void {
  expect(readFileSync(appImage)).toEqual(running);
  expect(loadedFiles()).toEqual([]);
}

describe("an AppImage", () => {
  test("is replaced by a newer version, keeps its name, and can be started", async () => {
    expect(await update()).toBe("0.2.0");
    expect(readFileSync(appImage)).toEqual(newer);
    expect(statSync(appImage).mode & 0o111).toBe(0o111);
    expect(readdirSync(folder).toSorted()).toEqual(["Echotop.AppImage", "updates"]);
    expect(site.asked).toEqual([metadata, signatureNameOf(metadata), image]);
  });

  test("changes nothing before it is installed", async () => {
    const updater = await connect();
    expect(await updater.check()).toBe("0.2.0");
    expect(loadedFiles()).toEqual([]);
    await updater.download();
    expect(readFileSync(appImage)).toEqual(running);
  });

  test("is loaded once: the next start finds the file and checks its hash", async () => {
    const first = await connect();
    await first.check();
    await first.download();
    const second = await connect();
    await second.check();
    await second.download();
    expect(site.asked.filter((name) => name === image)).toHaveLength(1);
    await second.install();
    expect(readFileSync(appImage)).toEqual(newer);
  });

  test("is not replaced by a loaded file that was changed", async () => {
    const updater = await connect();
    await updater.check();
    await updater.download();
    writeFileSync(join(folder, "updates", "loaded", "pending", image), "something else");
    await expect(updater.install()).rejects.toThrow("changed since");
    expect(readFileSync(appImage)).toEqual(running);
  });

  test("stays as it is if its folder cannot be written to", async () => {
    const updater = await connect();
    await updater.check();
    await updater.download();
    vi.stubEnv("APPIMAGE", join(folder, "gone", "Echotop.AppImage"));
    await updater.install();
    expect(place.report).toHaveBeenCalled();
    expect(readFileSync(appImage)).toEqual(running);
  });

  test("of the same version is the newest", async () => {
    expect(await update({ version: "0.2.0" })).toBeUndefined();
    expectNothingChanged();
  });

  test("of a pre-release gets its release", async () => {
    expect(await update({ version: "0.2.0-rc.1" })).toBe("0.2.0");
  });

  test("of another architecture reads its own release", async () => {
    await expect(update({ machine: { platform: "linux", arch: "arm64" } })).rejects.toThrow("no release");
    expect(site.asked).toEqual(["latest-linux-arm64.yml"]);
  });
});

const signed = (text: string): readonly [string, Uint8Array][] => [
  [metadata, Buffer.from(text)],
  [signatureNameOf(metadata), Buffer.from(signRelease(privateKey, metadata, Buffer.from(text)))],
];

describe("a release that is not right changes nothing, and is explained in one sentence", () => {
  test.each<[what: string, breakIt: () => void, sentence: RegExp]>([
    [
      "a wrong hash",
      () => site.files.set(image, Buffer.concat([newer.subarray(0, -1), Buffer.from("x")])),
      /^The downloaded update is damaged or was changed; it was discarded\.$/,
    ],
    [
      "a cut download",
      () =>
        site.answers.set(image, (_request, response) => {
          response.writeHead(200, { "content-length": newer.length });
          response.write(newer.subarray(0, 100_000), () => response.destroy());
        }),
      /^The connection to the update server broke; the update was discarded\.$/,
    ],
    [
      "a download that ends early without a declared length",
      () => site.answers.set(image, (_request, response) => response.end(newer.subarray(0, 100_000))),
      /damaged or was changed/,
    ],
    [
      "an older version",
      () => {
        site.publish({ version: "0.0.9", files: { [image]: newer } });
      },
      /^The update server offers Echotop 0\.0\.9, which is older than 0\.1\.0; it was ignored\.$/,
    ],
    [
      "a signature by another key",
      () => {
        const other = generateKeyPairSync("ed25519").privateKey;
        const bytes = site.files.get(metadata)!;
        site.files.set(signatureNameOf(metadata), Buffer.from(signRelease(other, metadata, bytes)));
      },
      /^The release at the update address is not signed by Echotop's publisher\.$/,
    ],
    [
      "metadata that was changed after it was signed",
      () => {
        const text = Buffer.from(site.files.get(metadata)!).toString();
        site.files.set(metadata, Buffer.from(text.replace("0.2.0\n", "0.3.0\n")));
      },
      /not signed/,
    ],
    [
      "metadata of another platform",
      () => {
        site.publish({ version: "0.2.0", files: { [image]: newer } }, "latest.yml");
        site.files.set(metadata, site.files.get("latest.yml")!);
        site.files.set(signatureNameOf(metadata), site.files.get("latest.yml.sig")!);
      },
      /not signed/,
    ],
    [
      "no signature",
      () => site.files.delete(signatureNameOf(metadata)),
      /^There is no release at the update address\.$/,
    ],
    ["an empty signature", () => site.files.set(signatureNameOf(metadata), Buffer.alloc(0)), /not signed/],
    ["no metadata", () => site.files.delete(metadata), /^There is no release at the update address\.$/],
    [
      "a page instead of metadata",
      () =>
        site.answers.set(metadata, (_request, response) =>
          response
            .writeHead(200, { "content-type": "text/html; charset=utf-8" })
            .end("<!doctype html>Sign in"),
        ),
      /^The update server answered with a web page instead of a release\.$/,
    ],
    [
      "an error of the server",
      () => site.answers.set(metadata, (_request, response) => response.writeHead(503).end()),
      /^The update server answered with an error \(503\)\.$/,
    ],
    [
      "too much metadata",
      () => site.files.set(metadata, Buffer.alloc(70_000, 32)),
      /^The update server's file is too large; it was discarded\.$/,
    ],
    [
      "metadata with a file of another place",
      () => {
        const text = toMetadata({ version: "0.2.0", files: { [image]: newer } });
        for (const [name, bytes] of signed(text.replace(image, `http://127.0.0.1:1/${image}`)))
          site.files.set(name, bytes);
      },
      /^The update server's description of the release is invalid\.$/,
    ],
    [
      "metadata with a file above its folder",
      () => {
        const text = toMetadata({ version: "0.2.0", files: { [image]: newer } });
        for (const [name, bytes] of signed(text.replace(image, `../${image}`))) site.files.set(name, bytes);
      },
      /description of the release is invalid/,
    ],
    [
      "metadata that is not YAML of a release",
      () => {
        for (const [name, bytes] of signed("- 1\n- 2\n")) site.files.set(name, bytes);
      },
      /description of the release is invalid/,
    ],
    [
      "a release without an installer for this platform",
      () => {
        site.publish({ version: "0.2.0", files: { "Echotop-0.2.0.exe": newer } });
      },
      /^Echotop 0\.2\.0 has no installer for this computer\.$/,
    ],
  ])("%s", async (_what, breakIt, sentence) => {
    breakIt();
    await expect(update()).rejects.toThrow(sentence);
    expectNothingChanged();
  });

  test.each([metadata, signatureNameOf(metadata), image])(
    "a redirect of %s to another origin",
    async (name) => {
      const asked: string[] = [];
      const other = createServer((request, response) => {
        asked.push(request.url!);
        response.end(site.files.get(name));
      });
      const { promise: listening, resolve } = Promise.withResolvers<undefined>();
      other.listen(0, "127.0.0.1", () => {
        resolve(undefined);
      });
      await listening;
      const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/${name}`;
      site.answers.set(name, (_request, response) => response.writeHead(302, { location }).end());
      await expect(update()).rejects.toThrow("points to another address");
      expectNothingChanged();
      expect(asked).toEqual([]);
      other.close();
    },
  );

  test("a server that is gone", async () => {
    await site.close();
    await expect(update()).rejects.toThrow("The update server could not be reached.");
    expectNothingChanged();
  });

  test("an end of the application in the middle of a download", async () => {
    const ending = new AbortController();
    site.answers.set(image, (_request, response) => {
      response.writeHead(200, { "content-length": newer.length });
      response.write(newer.subarray(0, 1000), () => {
        ending.abort();
      });
    });
    await expect(update({ signal: ending.signal })).rejects.toThrow("aborted");
    expectNothingChanged();
  });
});

describe("the address", () => {
  test.each([
    ["http://updates.example/", "must begin with https"],
    ["http://10.0.0.7/", "must begin with https"],
    ["http://127.0.0.1.updates.example/", "must begin with https"],
    ["file:///srv/releases/", "must begin with https"],
    ["https://user:secret@updates.example/", "without a password"],
    ["https://updates.example/?key=1", "without a password or a query"],
    ["updates.example", "not a web address"],
  ])("%s is refused", async (address, sentence) => {
    await expect(connectUpdates(place, address)).rejects.toThrow(sentence);
  });

  test("of the build is used unless the person has another", async () => {
    const trust = { ...place.trust!, address: site.url };
    const updater = await connectUpdates({ ...place, trust }, undefined);
    expect(await updater.check()).toBe("0.2.0");
  });

  test("over TLS needs a certificate that the system trusts", async () => {
    const { generate } = await import("selfsigned");
    const { private: key, cert } = await generate([{ name: "commonName", value: "127.0.0.1" }]);
    const secure = await openReleaseSite({ key: privateKey, tls: { key, cert } });
    try {
      secure.publish({ version: "0.2.0", files: { [image]: newer } });
      const updater = await connectUpdates(place, secure.url);
      await expect(updater.check()).rejects.toThrow("The update server could not be reached.");
      expect(secure.asked).toEqual([]);
    } finally {
      await secure.close();
    }
  });
});

test.each<[Partial<UpdatePlace>, string | undefined, string]>([
  [{ isPackaged: false }, "https://updates.example/", "runs from its sources"],
  [{ trust: undefined }, "https://updates.example/", "has no release key"],
  [{}, undefined, "No update address is set"],
])("a build or setting without updates says so", async (change, address, sentence) => {
  await expect(connectUpdates({ ...place, ...change }, address)).rejects.toThrow(sentence);
  expectNothingChanged();
});

describe("a Windows installation", () => {
  const machine = { platform: "win32", arch: "x64" } as const;

  test("loads the installer of its own metadata", async () => {
    site.publish({ version: "0.2.0", files: { "Echotop Setup 0.2.0.exe": newer } }, "latest.yml");
    const updater = await connect({ machine });
    expect(await updater.check()).toBe("0.2.0");
    await updater.download();
    expect(site.asked).toEqual(["latest.yml", "latest.yml.sig", "Echotop Setup 0.2.0.exe"]);
    expect(loadedFiles()).toContain("Echotop Setup 0.2.0.exe");
  });

  test.skipIf(process.platform !== "win32")(
    "refuses an installer without the publisher's certificate (needs Windows)",
    async () => {
      site.publish({ version: "0.2.0", files: { "Echotop Setup 0.2.0.exe": newer } }, "latest.yml");
      const trust = { ...place.trust!, publisherNames: ["The Echotop authors"] };
      await expect(update({ machine, trust })).rejects.toThrow();
      expect(loadedFiles()).toEqual([]);
    },
  );
});

test.skip("a macOS bundle is replaced by the system when Echotop quits (needs Electron on macOS)");
test.skip("a Windows installer runs when Echotop quits (needs Windows)");
