// Which files of the project go into the packaged application: the bundles and the package's description. Runtime
// dependencies are in the bundles, so `node_modules` stays behind.

/** Folders below `.vite` that hold bundles; what else is there (stamps, reports, staging) is the build's own business. */
const bundleFolders = ["build", "renderer", "assets"] as const;

/** Files that lie beside the application's archive, where a person can open them. */
export const resourceFiles = ["LICENSE", "THIRD-PARTY-NOTICES.md", "assets/icons/echotop.png"] as const;

/**
 * @param path from the project's root, with a leading slash and forward slashes; empty for the root itself. Folders are
 *   asked about before what is in them.
 */
export function isPackaged(path: string): boolean {
  if (path === "" || path === "/package.json" || path === "/.vite") return true;
  return bundleFolders.some((folder) => path === `/.vite/${folder}` || path.startsWith(`/.vite/${folder}/`));
}
