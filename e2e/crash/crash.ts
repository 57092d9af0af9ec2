// `npm run crash [-- KILLS [SEED]]`: the long crash trial, by default with 200 kills. Prints its figures as one JSON
// line.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runKillTrial } from "./kill-trial.ts";

const [kills = 200, seed = 20_260_520] = process.argv.slice(2).map(Number);
if (!(Number.isInteger(kills) && kills > 0 && Number.isInteger(seed)))
  throw new Error("crash [KILLS [SEED]] takes whole numbers and at least one kill");
const root = await mkdtemp(join(tmpdir(), "echotop-kills-"));
try {
  const figures = await runKillTrial({
    root,
    kills,
    seed,
    onKill: (done) => {
      if (done % 10 === 0) process.stderr.write(`${done} of ${kills} kills\n`);
    },
  });
  process.stdout.write(`${JSON.stringify({ seed, ...figures, elapsedMs: Math.round(figures.elapsedMs) })}\n`);
} finally {
  await rm(root, { recursive: true, force: true });
}
// A socket that was closing when its host was killed may keep this process alive for minutes.
process.exit();
