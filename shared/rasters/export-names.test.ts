import { expect, test } from "vitest";
import { toCsvName } from "./export-names.ts";

test("the name of a table says that its storms are synthetic, also of their replay", () => {
  const event = { id: "plains", kind: "historical-event" as const, label: "Plains" };
  expect(toCsvName(event, "reports")).toBe("echotop-plains-reports.csv");
  for (const label of ["Plains (synthetic)", "Plains (synthetic) (replay)"]) {
    expect(toCsvName({ ...event, label }, "story-norman")).toBe("echotop-plains-synthetic-story-norman.csv");
  }
});
