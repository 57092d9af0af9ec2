// Makes installers for this platform (`npm run make`): Forge packages the application, electron-builder wraps it.
// `npm run package` (`--package-only`) stops after Forge.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { identity } from "../../shared/identity.ts";
import { projectRoot } from "../platform/project-root.ts";
import { signReleases } from "./update-trust.ts";

/** Returns the path of the packaged application below the project's root: a folder, on macOS a bundle in it. */
export function packagedPath(platform: NodeJS.Platform, arch: string): string {
  const folder = join("out", `${identity.productName}-${platform}-${arch}`);
  return platform === "darwin" ? join(folder, `${identity.productName}.app`) : folder;
}

const unsigned = "No ECHOTOP_UPDATE_KEY: these installers cannot update themselves, and update no others.\n";

async function runTool(script: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [join(projectRoot, "node_modules", script), ...args], {
    cwd: projectRoot,
    stdio: "inherit",
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.on("error", reject);
  child.on("exit", (status) => {
    resolve(status ?? 1);
  });
  return promise;
}

async function makeInstallers(isPackageOnly: boolean): Promise<number> {
  const status = await runTool("@electron-forge/cli/dist/electron-forge.js", ["package"]);
  if (status !== 0 || isPackageOnly) return status;
  const built = await runTool("electron-builder/cli.js", [
    ...["--config", "electron/build/electron-builder.config.ts", "--publish", "never"],
    ...["--prepackaged", packagedPath(process.platform, process.arch)],
  ]);
  if (built === 0) {
    const signed = signReleases(join(projectRoot, "dist"));
    process.stderr.write(signed.length === 0 ? unsigned : `Signed ${signed.join(", ")}.\n`);
  }
  return built;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { "package-only": { type: "boolean" } } });
  process.exitCode = await makeInstallers(values["package-only"] ?? false);
}
