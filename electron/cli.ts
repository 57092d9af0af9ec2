// The entry of the command line `echotop` and of its bundle, `.vite/cli/cli.mjs`. The bundle starts twice as fast; it
// runs the sources instead if one of them changed after the build.
import { statSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { changedSince } from "./build/source-age.ts";
import { isBundled, projectRoot } from "./platform/project-root.ts";

// Before anything else is loaded: the cache keeps what is compiled from then on.
enableCompileCache();
const sources = ["electron", "shared", "package-lock.json"];
if (isBundled && changedSince(projectRoot, sources, statSync(import.meta.filename).mtimeMs)) {
  await import(pathToFileURL(join(projectRoot, "electron", "cli.ts")).href);
} else {
  const [{ runProgram }, { echotop }] = await Promise.all([
    import("./commands/command-line.ts"),
    import("./commands/echotop.ts"),
  ]);
  await runProgram(echotop);
}
