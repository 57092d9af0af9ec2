// Selects the files of the packaged application: bundles, `package.json`, and the native library that cannot be
// bundled. The bundles contain all other runtime dependencies.

/** Folders of bundles below `.vite`; stamps, reports and staging are not packaged. */
const bundleFolders = ["build", "renderer", "assets"] as const;

/** Packages that are not bundled: native code loads its library from a file next to it. */
export const nativePackages = ["sharp"] as const;

/** The native packages with their dependencies; `@img` has the libraries built for this platform. */
const nativeFolders = ["sharp", "detect-libc", "semver", "@img"] as const;

/** Files unpacked next to the archive, because the system's loader cannot read inside it. */
export const unpackedFiles = `**/node_modules/{${nativeFolders.join(",")}}/**`;

/** Files and folders next to the archive, where people can open them. */
export const resourceFiles = [
  "LICENSE",
  "THIRD-PARTY-NOTICES.md",
  "assets/licenses",
  "assets/bots.json",
  "assets/icons/echotop.png",
] as const;

/**
 * Returns true for a file or folder that is packaged; folders are checked before their contents.
 * @param path below the project's root, with a leading slash and forward slashes; empty for the root itself
 */
export function isPackaged(path: string): boolean {
  if (["", "/package.json", "/.vite", "/node_modules"].includes(path)) return true;
  return [
    ...bundleFolders.map((folder) => `/.vite/${folder}`),
    ...nativeFolders.map((folder) => `/node_modules/${folder}`),
  ].some((folder) => path === folder || path.startsWith(`${folder}/`));
}
