import { expect, test, vi } from "vitest";
import type { HeadFinding } from "../canonical/head-reader.ts";
import { HeldBody } from "./held-body.ts";

test("an error of the reader counts as an unreadable head", async () => {
  const findings: HeadFinding[] = [];
  const reader = {
    write: () => Promise.reject(new Error("The parser cannot go on.")),
    end: () => ({ kind: "none" }) as const,
    close: vi.fn(),
  };
  const held = new HeldBody(reader, {
    inspectMs: 10_000,
    onFinding: (finding) => findings.push(finding),
    onLate: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
  });
  held.write(Buffer.from("<p>"));
  await vi.waitUntil(() => findings.length > 0);
  held.close();
  expect(findings).toEqual([{ kind: "undecodable", cause: "broken" }]);
  expect(reader.close).toHaveBeenCalledOnce();
});
