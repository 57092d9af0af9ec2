// Configures electron-builder, which makes installers from the application that Forge packaged (`--prepackaged`).
import type { Configuration } from "electron-builder";
import { identity } from "../../shared/identity.ts";

const configuration: Configuration = {
  appId: identity.appId,
  productName: identity.productName,
  copyright: identity.copyright,
  directories: { output: "dist", buildResources: "assets/icons" },
  publish: null,
  extraMetadata: { homepage: identity.homepage },
  npmRebuild: false,
  linux: {
    target: ["AppImage", "deb"],
    icon: "assets/icons",
    category: identity.linuxCategory,
    executableName: identity.executableName,
    synopsis: identity.description,
    maintainer: identity.maintainer,
  },
  mac: {
    target: ["dmg"],
    icon: "assets/icons/echotop.icns",
    category: identity.macCategory,
  },
  win: {
    target: ["nsis"],
    icon: "assets/icons/echotop.ico",
  },
  nsis: {
    oneClick: false,
    perMachine: false,
    allowToChangeInstallationDirectory: true,
    deleteAppDataOnUninstall: false,
  },
};

export default configuration;
