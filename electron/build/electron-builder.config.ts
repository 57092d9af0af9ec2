// Configures electron-builder, which makes installers from the application that Forge packaged (`--prepackaged`).
import type { Configuration } from "electron-builder";
import { identity } from "../../shared/identity.ts";
import { linkProtocol, linuxFiles, windowsFiles } from "./open-with.ts";
import { publisherNames } from "./update-trust.ts";

const configuration: Configuration = {
  appId: identity.appId,
  productName: identity.productName,
  copyright: identity.copyright,
  directories: { output: "dist", buildResources: "assets/icons" },
  // Makes it write `latest*.yml`; the address itself is not used, the application has its own.
  publish: { provider: "generic", url: identity.homepage },
  protocols: [linkProtocol],
  extraMetadata: { homepage: identity.homepage },
  npmRebuild: false,
  linux: {
    target: ["AppImage", "deb"],
    icon: "assets/icons",
    category: identity.linuxCategory,
    executableName: identity.executableName,
    synopsis: identity.description,
    maintainer: identity.maintainer,
    fileAssociations: linuxFiles,
  },
  mac: {
    // The updater installs from the zip.
    target: ["dmg", "zip"],
    icon: "assets/icons/echotop.icns",
    category: identity.macCategory,
  },
  win: {
    target: ["nsis"],
    icon: "assets/icons/echotop.ico",
    fileAssociations: windowsFiles,
    ...(publisherNames.length > 0 && { signtoolOptions: { publisherName: [...publisherNames] } }),
  },
  nsis: {
    // The updater loads whole installers, whose hash is signed.
    differentialPackage: false,
    oneClick: false,
    perMachine: false,
    allowToChangeInstallationDirectory: true,
    deleteAppDataOnUninstall: false,
  },
};

export default configuration;
