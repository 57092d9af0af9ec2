// A verifier of crawlers with a file in a temporary folder and a clock that the test controls.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogLevel } from "../../../platform/effects.ts";
import type { CrawlerVerifier, Visitor } from "../crawlers/crawler-verdict.ts";
import { openCrawlerVerifier } from "../crawlers/open-crawler-verifier.ts";
import { botsFile, type BotEntry } from "./bots-file.ts";

export interface TestVerifier {
  readonly folder: string;
  readonly file: string;
  readonly verifier: CrawlerVerifier;
  readonly logged: readonly { readonly level: LogLevel; readonly message: string }[];
  /** Advances the clock, which stands still otherwise. */
  readonly pass: (ms: number) => void;
  readonly close: () => Promise<void>;
}

export interface TestVerifierOptions {
  /** Entries, or the file's whole text; undefined: no file. */
  readonly bots?: readonly BotEntry[] | string | undefined;
  readonly dnsServers?: readonly string[];
  /** Time of the clock. */
  readonly at?: Date;
}

export async function openTestVerifier(options: TestVerifierOptions): Promise<TestVerifier> {
  const { bots, dnsServers = ["127.0.0.1:9"], at = new Date("2026-11-21T00:00:00Z") } = options;
  const folder = mkdtempSync(join(tmpdir(), "crawlers-"));
  const file = join(folder, "bots.json");
  if (bots !== undefined) writeFileSync(file, typeof bots === "string" ? bots : botsFile(bots));
  const logged: { level: LogLevel; message: string }[] = [];
  let nowMs = at.getTime();
  const verifier = await openCrawlerVerifier({
    file,
    dnsServers,
    now: () => new Date(nowMs),
    log: (level, message) => logged.push({ level, message }),
  });
  return {
    folder,
    file,
    verifier,
    logged,
    pass: (ms) => {
      nowMs += ms;
    },
    async close() {
      await verifier.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export function visitor(given: Partial<Visitor>): Visitor {
  return {
    address: "203.0.113.1",
    userAgent: "TrainBot/1.0",
    method: "GET",
    authority: "brief.example",
    url: "https://brief.example/r/1",
    headers: {},
    ...given,
  };
}
