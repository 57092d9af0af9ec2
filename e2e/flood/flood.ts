// `npm run flood [-- CONNECTIONS]`: the long flood trial, by default with 3,000 connections at each listener. Prints
// one JSON line for each; exits with 1 if one misses the budget.
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import { floodBudget, runFloodTrial } from "./flood-trial.ts";

const connections = Number(process.argv[2] ?? 3_000);
if (!(Number.isInteger(connections) && connections > 0))
  throw new Error("flood [CONNECTIONS] takes a whole number of connections");
const root = makeTemporaryDirectory("flood");
try {
  const figures = await runFloodTrial({
    root,
    connections,
    durationMs: 8_000,
    freshHosts: true,
    onFigures: (one) => {
      process.stdout.write(`${JSON.stringify({ connections, ...one })}\n`);
    },
  });
  const isMet = figures.every(
    ({ p99Ms, growthMib }) => p99Ms < floodBudget.answerMs && growthMib < floodBudget.growthMib,
  );
  process.exitCode = isMet ? 0 : 1;
} finally {
  removeDirectory(root);
}
