// Test projects that run the storm service's contract against two readers of a service behind a balancer.
import type { TestProjectInlineConfiguration } from "vitest/config";
import type { BalancedUnit } from "../e2e/support/balancer.ts";
import { hasTwoReaders } from "../e2e/support/two-readers.ts";

/** Files with requests that a balancer which reads HTTP would refuse itself. */
export const rawFiles = ["odd-requests", "fuzz", "stream"].map((name) => `e2e/contract/${name}.test.ts`);

/** Returns a project; without a file if two readers cannot be started, which a skipped test then says. */
export function behindBalancer(
  unit: BalancedUnit,
  include: readonly string[],
  exclude: readonly string[] = [],
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name: `two readers, balanced ${unit}`,
      globalSetup: ["electron/support/build-first.ts", "e2e/support/test-server.ts"],
      include: hasTwoReaders ? [...include] : [],
      exclude: [...exclude],
      env: { ECHOTOP_TEST_BALANCED: unit },
    },
  };
}
