// Redirects `require("electron")` to the stand-in; load it with `node --import`.
import { registerHooks } from "node:module";

const standIn = new URL("pretend-electron.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === "electron" ? { url: standIn, shortCircuit: true } : nextResolve(specifier, context),
});
