// Opens the verifier of crawlers: the directory that follows its file, the DNS, and the memory of used signatures.
import type { Log } from "../../../platform/effects.ts";
import { createNonceMemory } from "./check-signature.ts";
import type { CrawlerVerifier } from "./crawler-verdict.ts";
import { openDirectorySource } from "./directory-source.ts";
import { judgeVisitor } from "./judge-visitor.ts";
import { createReverseDns } from "./reverse-dns.ts";

export interface CrawlerVerifierOptions {
  /** The bots file, absolute. */
  readonly file: string;
  /** `IP` or `IP:PORT` of the resolvers; the system's if undefined. */
  readonly dnsServers: readonly string[] | undefined;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Without a valid file, no visitor is verified.
 * @throws AppError `invalid-input` for a DNS server that is not an address
 */
export async function openCrawlerVerifier(options: CrawlerVerifierOptions): Promise<CrawlerVerifier> {
  const { file, dnsServers, now, log } = options;
  const dns = createReverseDns({ servers: dnsServers, now });
  const nonces = createNonceMemory();
  const source = await openDirectorySource({ file, now, log, onChange: dns.forget });
  return {
    mayBeCrawler: ({ headers, userAgent }) =>
      headers["signature-input"] !== undefined || source.current().names.isIn(userAgent),
    verify: (visitor) => judgeVisitor(visitor, { directory: source.current(), dns, nonces, now }),
    state: source.state,
    async close() {
      dns.close();
      await source.close();
    },
  };
}
