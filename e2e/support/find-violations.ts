// An accessibility checker over the page as it is now.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** Returns each broken rule with the first element that breaks it. */
export async function findViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`);
}
