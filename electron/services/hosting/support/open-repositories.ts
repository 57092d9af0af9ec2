// Opens hosting in a temporary directory for tests, with a settable clock, a scripted transfer, and no Git.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createRepositories } from "../repositories.ts";
import type { Repositories } from "../repositories.ts";
import type { LifecycleStep } from "../hosting-store.ts";
import type { Transfer } from "../transfer/transfer.ts";

export const startMs = Date.parse("2026-11-20T12:00:00Z");

export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "echotop-repositories-"));
  onTestFinished(async () => {
    await rm(directory, { recursive: true, force: true });
  });
  return directory;
}

/** Every fork and import finds seven objects and the branch `main`. */
export const easyTransfer: Transfer = {
  fork: () => Promise.resolve({ objects: 7, defaultBranch: "main" }),
  import: () => Promise.resolve({ objects: 7, defaultBranch: "main" }),
};

export interface TestHosting {
  readonly directory: string;
  readonly repositories: Repositories;
  /** Milliseconds since 1970; starts at `startMs` and does not advance. */
  readonly clock: { nowMs: number };
  readonly logged: string[];
}

export async function openTestRepositories({
  directory,
  transfer = easyTransfer,
  atStep,
  onRevoked,
}: {
  readonly directory?: string | undefined;
  readonly transfer?: Transfer;
  readonly atStep?: ((step: LifecycleStep) => void) | undefined;
  readonly onRevoked?: (tokenId: string) => void;
} = {}): Promise<TestHosting> {
  const dataDirectory = directory ?? (await temporaryDirectory());
  const clock = { nowMs: startMs };
  const logged: string[] = [];
  const repositories = await createRepositories({
    dataDirectory,
    transfer,
    now: () => new Date(clock.nowMs),
    log: (level, message) => {
      logged.push(`${level}: ${message}`);
    },
    atStep,
    onRevoked,
  });
  onTestFinished(() => repositories.close());
  return { directory: dataDirectory, repositories, clock, logged };
}
