// The entry of the command line `echotop`.
import { enableCompileCache } from "node:module";

// Before anything else is loaded: the cache keeps what is compiled from then on.
enableCompileCache();
const [{ runProgram }, { echotop }] = await Promise.all([
  import("./commands/command-line.ts"),
  import("./commands/echotop.ts"),
]);
await runProgram(echotop);
