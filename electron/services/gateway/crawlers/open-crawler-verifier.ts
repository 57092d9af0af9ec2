// The verifier of crawlers: a directory that follows its file, the DNS, and a memory of signatures that were shown.
import type { Log } from "../../../platform/effects.ts";
import type { CrawlerVerifier } from "./crawler-verdict.ts";
import { openDirectorySource } from "./directory-source.ts";
import { judgeVisitor } from "./judge-visitor.ts";
import { createNonceMemory } from "./nonce-memory.ts";
import { createReverseDns } from "./reverse-dns.ts";

export interface CrawlerVerifierOptions {
  /** The bots file, absolute. */
  readonly file: string;
  /** `IP` or `IP:PORT` of the resolvers to ask; the system's where undefined. */
  readonly dnsServers: readonly string[] | undefined;
  readonly now: () => Date;
  readonly log: Log;
}

/** Of signatures within the hour that they are good for at most; some 200 bytes each. */
const nonceCapacity = 20_000;

/** Without a file that can be used nobody is verified, until there is one. @throws AppError `invalid-input` for a DNS server that is no address */
export async function openCrawlerVerifier(options: CrawlerVerifierOptions): Promise<CrawlerVerifier> {
  const { file, dnsServers, now, log } = options;
  const dns = createReverseDns({ servers: dnsServers, now });
  const nonces = createNonceMemory({ capacity: nonceCapacity });
  const source = await openDirectorySource({
    file,
    now,
    log,
    onChange: () => {
      dns.forget();
    },
  });
  return {
    mayBeCrawler: ({ headers, userAgent }) =>
      headers["signature-input"] !== undefined || source.current().names.isIn(userAgent),
    verify: (visitor) => judgeVisitor(visitor, { directory: source.current(), dns, nonces, now }),
    state: () => source.state(),
    async close() {
      dns.close();
      await source.close();
    },
  };
}
