import { expect, test } from "vitest";
import { createProgress } from "./progress.ts";

function recorder(isTTY: boolean) {
  const written: string[] = [];
  let nowMs = 0;
  const progress = createProgress({
    label: "Ingesting",
    stream: { write: (text) => written.push(text), isTTY, columns: 80 },
    nowMs: () => nowMs,
  });
  return {
    written,
    progress,
    at: (ms: number) => {
      nowMs = ms;
      return progress;
    },
  };
}

test("work that ends within a second prints nothing", () => {
  const { written, at } = recorder(true);
  at(900).update(9, 10);
  at(950).end();
  expect(written).toEqual([]);
});

test("a terminal shows a progress bar that is redrawn in place, fits the width and is cleared at the end", () => {
  const { written, at } = recorder(true);
  at(1500).update(5, 10);
  at(1510).update(6, 10);
  at(1700).update(7, 10);
  at(1800).end();
  expect(written).toHaveLength(3);
  expect(written[0]).toBe(`\rIngesting [${"#".repeat(14)}${" ".repeat(14)}] 5/10\x1b[K`);
  expect(written[1]).toContain("7/10");
  expect(written[2]).toBe("\r\x1b[K");
});

test("other output gets a plain line at most every five seconds", () => {
  const { written, at, progress } = recorder(false);
  at(1500).update(5, 100);
  at(3000).update(6, 100);
  progress.end();
  at(3100).update(7, 100);
  at(6600).update(20, 100);
  at(7000).end();
  expect(written).toEqual(["Ingesting 5 of 100\n", "Ingesting 20 of 100\n"]);
});
