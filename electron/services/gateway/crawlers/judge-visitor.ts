// Decides who a visitor is, by proofs in this order: a signature, its name with the operator's address ranges, its
// name with the DNS. A proof that fits crawlers of different categories proves none of them.
import { parseIpAddress } from "../../../platform/addresses/ip-address.ts";
import { checkSignature, type SignatureCheck, type SignatureMeans } from "./check-signature.ts";
import type { CrawlerProof, CrawlerVerdict, Visitor } from "./crawler-verdict.ts";
import type { Crawler, Directory } from "./directory.ts";
import { isUnder, noNames, type HostNames, type ReverseDns } from "./reverse-dns.ts";

export interface JudgeMeans extends SignatureMeans {
  readonly dns: Pick<ReverseDns, "find">;
}

/** Never rejects. */
export async function judgeVisitor(visitor: Visitor, means: JudgeMeans): Promise<CrawlerVerdict> {
  const { directory } = means;
  const claimed = directory.findClaimed(visitor.userAgent);
  const signature = await checkSignature(visitor, means);
  if (signature.kind === "valid") {
    const signers = signature.crawlers;
    // If an operator signs for several crawlers, the name selects one; the name of another crawler is a contradiction.
    const fitting = claimed.length === 0 ? signers : signers.filter((crawler) => claimed.includes(crawler));
    const verdict = toVerified(fitting, "signature");
    if (verdict) return verdict;
  }
  const [first] = claimed;
  if (!first) return { status: "unverified", claimed: undefined, why: toNamelessWhy(signature) };
  const address = parseIpAddress(visitor.address);
  const within = address ? claimed.filter(({ ranges }) => ranges.has(address)) : [];
  if (within.length > 0) return toVerified(within, "ranges") ?? toAmbiguous(within);
  const named = claimed.filter(({ dnsSuffixes }) => dnsSuffixes.length > 0);
  const hosts =
    named.length === 0 ? noNames : await means.dns.find(visitor.address, createIsWanted(directory));
  const confirmed = named.filter((crawler) => isAmong(crawler, hosts.confirmed));
  if (confirmed.length > 0) return toVerified(confirmed, "dns") ?? toAmbiguous(confirmed);
  return toDoubt(claimed, hosts) ?? toRefusal(first, signature);
}

/** Accepts every suffix of the directory, so that a cached answer serves any name that the address uses next. */
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
    why: `Its user agent names ${names}, which are of different categories.`,
  };
}

/** Returns a verdict if a crawler that the visitor names could be neither proven nor refuted. */
function toDoubt(claimed: readonly Crawler[], hosts: HostNames): CrawlerVerdict | undefined {
  for (const crawler of claimed) {
    const { name, ranges, dnsSuffixes, canSign } = crawler;
    if (ranges.size === 0 && dnsSuffixes.length === 0 && !canSign) {
      return {
        status: "unknown",
        claimed: name,
        why: `The directory has nothing that could verify ${name}.`,
      };
    }
    if (dnsSuffixes.length === 0) continue;
    const why =
      hosts.problem ??
      (isAmong(crawler, hosts.undecided)
        ? "The DNS did not answer for the host name of its address."
        : undefined);
    if (why !== undefined) return { status: "unknown", claimed: name, why };
  }
  return undefined;
}

function toRefusal(crawler: Crawler, signature: SignatureCheck): CrawlerVerdict {
  const reasons: string[] = [];
  if (signature.kind === "invalid") reasons.push(signature.why);
  if (signature.kind === "valid") {
    reasons.push("Its signature belongs to another crawler than its user agent names.");
  }
  if (signature.kind === "absent" && crawler.canSign) reasons.push("Its request is not signed.");
  if (crawler.ranges.size > 0) reasons.push(`Its address is not in the address ranges of ${crawler.name}.`);
  if (crawler.dnsSuffixes.length > 0)
    reasons.push(`The DNS does not confirm its address as one of ${crawler.name}.`);
  return { status: "unverified", claimed: crawler.name, why: reasons.join(" ") };
}

function toNamelessWhy(signature: SignatureCheck): string {
  if (signature.kind === "invalid") return signature.why;
  if (signature.kind === "valid")
    return "Its key belongs to several crawlers, and its user agent does not name one of them.";
  return "Its user agent names no crawler in the directory.";
}
