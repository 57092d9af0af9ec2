// The order of the test files: what takes long begins first, so that at the end no processor waits for one long file.
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files of more than about 10 s, the longest first. Whatever is not here begins later, by size. */
const slowest: readonly string[] = [
  "e2e/feed/simulated-day.long.test.ts",
  "e2e/commands/analysis-commands.long.test.ts",
  "e2e/hosting/two-hosts.long.test.ts",
  "e2e/crash/kill-trial.test.ts",
  "e2e/hosting/hostile-git.long.test.ts",
  "e2e/commands/export-data.test.ts",
  "electron/desktop/launch/launch.long.test.ts",
  "e2e/hosting/lan.long.test.ts",
  "e2e/mirror/mirror.long.test.ts",
  "electron/pipeline/grib2/truth.test.ts",
  "electron/services/hosting/git/repack.long.test.ts",
  "electron/sharing/briefings/publish-briefing.long.test.ts",
  "electron/platform/postgres/database.long.test.ts",
  "e2e/hosting/git-protocol.long.test.ts",
  "e2e/replay/replay.long.test.ts",
  "e2e/service/two-gateways.long.test.ts",
  "e2e/feed/commands.long.test.ts",
  "e2e/crash/ingest-crash.test.ts",
  "electron/host/start/start-hosting.long.test.ts",
  "e2e/hosting/packs.long.test.ts",
  "e2e/project/bundled-main.test.ts",
  "e2e/crash/repair.long.test.ts",
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return others.toSorted((left, right) => this.#rankOf(left) - this.#rankOf(right));
  }

  #rankOf({ moduleId }: TestSpecification): number {
    const rank = slowest.indexOf(relative(this.ctx.config.root, moduleId));
    return rank === -1 ? slowest.length : rank;
  }
}
