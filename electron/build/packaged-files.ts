// Which files of the project go into the packaged application: the bundles, the package's description, and the one library
// that cannot be bundled. All other runtime dependencies are in the bundles, so the rest of `node_modules` stays behind.

/** Folders below `.vite` that hold bundles; what else is there (stamps, reports, staging) is the build's own business. */
const bundleFolders = ["build", "renderer", "assets"] as const;

/** Bundles leave these to be found in `node_modules`: native code loads its library from a file beside it. */
export const nativePackages = ["sharp"] as const;

/** What the native packages need, and `@img/`, which holds the prebuilt libraries of the platform that packs. */
const nativeFolders = ["sharp", "detect-libc", "semver", "@img"] as const;

/** What of the archive lies unpacked beside it: the system's loader cannot read inside. */
export const unpackedFiles = `**/node_modules/{${nativeFolders.join(",")}}/**`;

/** Files and folders that lie beside the application's archive, where a person can open them. */
export const resourceFiles = [
  "LICENSE",
  "THIRD-PARTY-NOTICES.md",
  "assets/licenses",
  "assets/bots.json",
  "assets/icons/echotop.png",
] as const;

/**
 * @param path from the project's root, with a leading slash and forward slashes; empty for the root itself. Folders are
 *   asked about before what is in them.
 */
export function isPackaged(path: string): boolean {
  if (["", "/package.json", "/.vite", "/node_modules"].includes(path)) return true;
  return [
    ...bundleFolders.map((folder) => `/.vite/${folder}`),
    ...nativeFolders.map((folder) => `/node_modules/${folder}`),
  ].some((folder) => path === folder || path.startsWith(`${folder}/`));
}
