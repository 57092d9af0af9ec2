// The installers: their configuration, the files and links that open with Echotop, and signed releases.
import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LinuxTargetHelper } from "app-builder-lib/out/targets/LinuxTargetHelper.js";
import { Packager, Platform } from "electron-builder";
import { expect, test } from "vitest";
import forgeConfig from "../../forge.config.ts";
import builderConfig from "../../electron/build/electron-builder.config.ts";
import { packagedPath } from "../../electron/build/make-installers.ts";
import { loadUpdateTrust } from "../../electron/desktop/updates/connect-updates.ts";
import { isSignedBy } from "../../electron/desktop/updates/release-signature.ts";
import { identity } from "../../shared/identity.ts";
import { projectRoot } from "../run/steps.ts";

const { productName } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
  readonly productName: string;
};
const { packagerConfig } = forgeConfig;

test.each([Platform.LINUX, Platform.MAC, Platform.WINDOWS])(
  "electron-builder accepts the configuration for %s",
  async (platform) => {
    const packager = new Packager({
      config: "electron/build/electron-builder.config.ts",
      projectDir: projectRoot,
      targets: platform.createTarget(),
    });
    await packager.validateConfig();
    expect(packager.config).toMatchObject({ appId: identity.appId, productName: identity.productName });
  },
);

test("the installers wrap Forge's output under the same names", () => {
  expect(builderConfig.productName).toBe(packagerConfig.name);
  expect(builderConfig.appId).toBe(packagerConfig.appBundleId);
  expect(builderConfig.linux).toMatchObject({ executableName: packagerConfig.executableName });
  expect(productName).toBe(identity.productName);
  expect(packagedPath("linux", "x64")).toBe(join("out", "Echotop-linux-x64"));
  expect(packagedPath("darwin", "arm64")).toBe(join("out", "Echotop-darwin-arm64", "Echotop.app"));
});

test("the installers are AppImage and deb for Linux, dmg and zip for macOS and nsis for Windows", () => {
  const { linux, mac, win } = builderConfig;
  expect([linux?.target, mac?.target, win?.target]).toEqual([["AppImage", "deb"], ["dmg", "zip"], ["nsis"]]);
});

test("Linux gets a pattern for each file that opens with Echotop, and its link", async () => {
  const folder = mkdtempSync(join(tmpdir(), "echotop-linux-"));
  const fileAssociations = [builderConfig.linux!.fileAssociations!].flat();
  const helper = new LinuxTargetHelper({
    ...{ fileAssociations, config: builderConfig, appInfo: new Proxy({}, { get: () => "echotop" }) },
    platformSpecificBuildOptions: builderConfig.linux,
    executableName: identity.executableName,
    info: { metadata: {} },
    getTempFile: () => Promise.resolve(join(folder, "mime.xml")),
  } as never);
  const types = readFileSync((await helper.mimeTypeFiles)!, "utf8");
  const patterns = [...types.matchAll(/<glob pattern="([^"]+)"/g)].map(([, pattern]) => pattern);
  expect(patterns).toEqual(["*.grib2", "*.grb2", "*.grib2.gz", "*.grb2.gz", "*.echotop-view"]);
  const entry = await helper.computeDesktopEntry(builderConfig.linux!);
  expect(entry).toMatch(
    /^MimeType=(?:application\/wmo-grib2;)+application\/vnd\.echotop\.view\+json;x-scheme-handler\/echotop;$/m,
  );
  rmSync(folder, { recursive: true });
});

test("macOS and Windows open the same files, but no foreign archive", () => {
  const [windows, mac] = [
    builderConfig.win!.fileAssociations!,
    packagerConfig.extendInfo.CFBundleDocumentTypes,
  ];
  expect([windows].flat().flatMap(({ ext }) => ext)).toEqual(["grib2", "grb2", "echotop-view"]);
  expect(mac.flatMap(({ CFBundleTypeExtensions }) => CFBundleTypeExtensions)).toEqual([
    "grib2",
    "grb2",
    "echotop-view",
  ]);
  expect(packagerConfig.protocols).toEqual([{ name: "Echotop view", schemes: ["echotop"] }]);
  expect(builderConfig.protocols).toEqual(packagerConfig.protocols);
});

test("a build with a key signs its metadata, and its package trusts exactly those", () => {
  const folder = mkdtempSync(join(tmpdir(), "echotop-signed-"));
  const { privateKey } = generateKeyPairSync("ed25519");
  const keyPath = join(folder, "key.pem");
  writeFileSync(keyPath, privateKey.export({ type: "pkcs8", format: "pem" }));
  const metadata = Buffer.from("version: 0.2.0\n");
  for (const name of ["latest-linux.yml", "latest.yml", "builder-debug.yml"])
    writeFileSync(join(folder, name), metadata);
  const script = [
    `import { signReleases, writeUpdateTrust } from "./electron/build/update-trust.ts";`,
    `console.log(JSON.stringify(signReleases(${JSON.stringify(folder)})));`,
    `await writeUpdateTrust(${JSON.stringify(join(folder, "assets", "update-trust.json"))});`,
  ].join("\n");
  const run = (env: NodeJS.ProcessEnv): string =>
    spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: projectRoot,
      env: { ...process.env, ...env },
      encoding: "utf8",
    }).stdout;
  expect(run({ ECHOTOP_UPDATE_KEY: undefined })).toBe("[]\n");
  expect(existsSync(join(folder, "assets"))).toBe(false);
  expect(run({ ECHOTOP_UPDATE_KEY: keyPath })).toBe('["latest-linux.yml","latest.yml"]\n');
  const { publicKey } = loadUpdateTrust(join(folder, "assets", "update-trust.json"))!;
  const signature = readFileSync(join(folder, "latest.yml.sig"), "utf8");
  expect(isSignedBy(publicKey, "latest.yml", { metadata, signature })).toBe(true);
  expect(isSignedBy(publicKey, "latest-linux.yml", { metadata, signature })).toBe(false);
  expect(existsSync(join(folder, "builder-debug.yml.sig"))).toBe(false);
  // OpenSSL comes to the same result.
  writeFileSync(join(folder, "signed"), `latest.yml\n${metadata.toString()}`);
  writeFileSync(join(folder, "signature"), Buffer.from(signature, "base64"));
  const openssl = spawnSync(
    "openssl",
    ["pkeyutl", "-verify", "-rawin", "-inkey", keyPath, "-in", "signed", "-sigfile", "signature"],
    { cwd: folder, encoding: "utf8" },
  );
  if (openssl.error === undefined) expect(openssl.stdout).toContain("Signature Verified Successfully");
  rmSync(folder, { recursive: true });
});

test.skip(
  "electron-builder writes the metadata of its installers (needs Electron's runtime and installer tools)",
);
