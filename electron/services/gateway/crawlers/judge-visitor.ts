// Who a visitor is, by the proofs in their order: a signature, then its name with the operator's ranges, then its name with
// the DNS. A proof that fits several crawlers of different categories proves none of them.
import { parseAddress } from "./address-set.ts";
import { checkSignature, type SignatureCheck } from "./check-signature.ts";
import type { CrawlerProof, CrawlerVerdict, Visitor } from "./crawler-verdict.ts";
import type { Crawler, Directory } from "./directory.ts";
import type { NonceMemory } from "./nonce-memory.ts";
import { isUnder, type HostNames, type ReverseDns } from "./reverse-dns.ts";

export interface JudgeMeans {
  readonly directory: Directory;
  readonly dns: Pick<ReverseDns, "find">;
  readonly nonces: NonceMemory;
  readonly now: () => Date;
}

/** Never rejects. */
export async function judgeVisitor(visitor: Visitor, means: JudgeMeans): Promise<CrawlerVerdict> {
  const { directory } = means;
  const claimed = directory.findClaimed(visitor.userAgent);
  const signature = await checkSignature(visitor, means);
  if (signature.kind === "valid") {
    const signers = signature.crawlers;
    // Where an operator signs for several crawlers, the name says which of them it is; another's name is a contradiction.
    const fitting = claimed.length === 0 ? signers : signers.filter((crawler) => claimed.includes(crawler));
    const verdict = toVerified(fitting, "signature");
    if (verdict) return verdict;
  }
  const [first] = claimed;
  if (!first) return { status: "unverified", claimed: undefined, why: toNamelessWhy(signature) };
  const address = parseAddress(visitor.address);
  const within = address ? claimed.filter(({ ranges }) => ranges.has(address)) : [];
  if (within.length > 0) return toVerified(within, "ranges") ?? toAmbiguous(within);
  const named = claimed.filter(({ dnsSuffixes }) => dnsSuffixes.length > 0);
  const hosts =
    named.length === 0 ? noNames : await means.dns.find(visitor.address, createIsWanted(directory));
  const confirmed = named.filter((crawler) => isAmong(crawler, hosts.confirmed));
  if (confirmed.length > 0) return toVerified(confirmed, "dns") ?? toAmbiguous(confirmed);
  return toDoubt(claimed, hosts) ?? toRefusal(first, signature);
}

const noNames: HostNames = { confirmed: [], undecided: [], problem: undefined };

/** Every suffix of the directory, so that an answer can be kept for the address, whichever name it bears next. */
function createIsWanted({ crawlers }: Directory): (name: string) => boolean {
  return (name) => crawlers.some((crawler) => isAmong(crawler, [name]));
}

function isAmong({ dnsSuffixes }: Crawler, names: readonly string[]): boolean {
  return names.some((name) => dnsSuffixes.some((suffix) => isUnder(name, suffix)));
}

function toVerified(crawlers: readonly Crawler[], proof: CrawlerProof): CrawlerVerdict | undefined {
  const [first] = crawlers;
  if (!first || crawlers.some(({ category }) => category !== first.category)) return undefined;
  const { name, operator, category } = first;
  return { status: "verified", name, operator, category, proof };
}

function toAmbiguous(crawlers: readonly Crawler[]): CrawlerVerdict {
  const names = crawlers.map(({ name }) => name).join(" and ");
  return {
    status: "unverified",
    claimed: crawlers[0]!.name,
    why: `It bears the names of ${names}, which are of different categories.`,
  };
}

/** Where a crawler whose name it bears could not be proven or refuted. */
function toDoubt(claimed: readonly Crawler[], hosts: HostNames): CrawlerVerdict | undefined {
  for (const crawler of claimed) {
    const { name, ranges, dnsSuffixes, canSign } = crawler;
    if (ranges.size === 0 && dnsSuffixes.length === 0 && !canSign) {
      return {
        status: "unknown",
        claimed: name,
        why: `The directory knows nothing that could prove ${name}.`,
      };
    }
    if (dnsSuffixes.length === 0) continue;
    const why =
      hosts.problem ??
      (isAmong(crawler, hosts.undecided) ? "The DNS did not say where its name leads." : undefined);
    if (why !== undefined) return { status: "unknown", claimed: name, why };
  }
  return undefined;
}

function toRefusal(crawler: Crawler, signature: SignatureCheck): CrawlerVerdict {
  const reasons: string[] = [];
  if (signature.kind === "invalid") reasons.push(signature.why);
  if (signature.kind === "valid") reasons.push("Its signature is of another crawler than its name.");
  if (signature.kind === "absent" && crawler.canSign) reasons.push("It is not signed.");
  if (crawler.ranges.size > 0) reasons.push(`Its address is not in the ranges of ${crawler.name}.`);
  if (crawler.dnsSuffixes.length > 0)
    reasons.push(`The DNS does not name its address as one of ${crawler.name}.`);
  return { status: "unverified", claimed: crawler.name, why: reasons.join(" ") };
}

function toNamelessWhy(signature: SignatureCheck): string {
  if (signature.kind === "invalid") return signature.why;
  if (signature.kind === "valid")
    return "Its key is of several crawlers, and it does not say which of them it is.";
  return "It bears the name of no crawler in the directory.";
}
