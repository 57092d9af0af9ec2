// Finds the host names of an address in the DNS. A name counts if its forward lookup leads back to the address. Time,
// lookups and cache are bounded.
import { Resolver } from "node:dns/promises";
import { AppError } from "../../../../shared/app-error.ts";
import { crawlerLimits } from "../gateway-limits.ts";
import { parseIpAddress, type IpAddress } from "../../../platform/addresses/ip-address.ts";

export interface HostNames {
  /** Names that lead back to the address, in lower case without a final dot. */
  readonly confirmed: readonly string[];
  /** Names whose forward lookup had no answer. */
  readonly undecided: readonly string[];
  /** Why the reverse lookup had no answer, as a sentence; undefined if it had one. */
  readonly problem: string | undefined;
}

export interface ReverseDns {
  /** Looks up the names that `isWanted` accepts. Never rejects. */
  readonly find: (address: string, isWanted: (name: string) => boolean) => Promise<HostNames>;
  /** Clears the cache: other names are wanted now. */
  readonly forget: () => void;
  /** Cancels lookups in progress. Idempotent. */
  readonly close: () => void;
}

/** The answer for an address without host names. */
export const noNames: HostNames = { confirmed: [], undecided: [], problem: undefined };

export interface ReverseDnsOptions {
  /** `IP` or `IP:PORT`; the system's if undefined. */
  readonly servers: readonly string[] | undefined;
  readonly now: () => Date;
  /** Longest wait of a visitor. */
  readonly timeoutMs?: number;
  readonly mostAtOnce?: number;
  readonly mostRemembered?: number;
}

const { dnsCachedMs } = crawlerLimits;
/** The DNS answered that no such record exists, in contrast to giving no answer. */
const absences: ReadonlySet<unknown> = new Set(["ENODATA", "ENOTFOUND"]);

/** @throws AppError `invalid-input` for a server that is not an address */
export function createReverseDns(options: ReverseDnsOptions): ReverseDns {
  const { servers, now } = options;
  const { timeoutMs = crawlerLimits.dnsMs, mostAtOnce = crawlerLimits.dnsLookups } = options;
  const { mostRemembered = crawlerLimits.dnsCached } = options;
  // Refuses an invalid server now, not at the first lookup.
  createResolver(servers, timeoutMs);
  const remembered = new Map<string, { readonly names: HostNames; readonly untilMs: number }>();
  const underWay = new Map<string, Promise<HostNames>>();
  const resolvers = new Set<Resolver>();

  const remember = (address: string, names: HostNames): void => {
    remembered.delete(address);
    if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value!);
    remembered.set(address, { names, untilMs: now().getTime() + dnsCachedMs[toKind(names)] });
  };

  const lookInTime = async (parsed: IpAddress, isWanted: (name: string) => boolean): Promise<HostNames> => {
    const resolver = createResolver(servers, timeoutMs);
    resolvers.add(resolver);
    const timer = setTimeout(() => {
      resolver.cancel();
    }, timeoutMs);
    try {
      return await lookBothWays(resolver, parsed, isWanted);
    } finally {
      clearTimeout(timer);
      resolvers.delete(resolver);
    }
  };

  const look = (
    address: string,
    parsed: IpAddress,
    isWanted: (name: string) => boolean,
  ): Promise<HostNames> => {
    const names = lookInTime(parsed, isWanted).then((found) => {
      // After `forget`, this lookup is no longer the address's: it asked for other names.
      if (underWay.get(address) === names) {
        underWay.delete(address);
        remember(address, found);
      }
      return found;
    });
    underWay.set(address, names);
    return names;
  };

  return {
    find(address, isWanted) {
      const known = remembered.get(address);
      if (known && known.untilMs > now().getTime()) return Promise.resolve(known.names);
      const same = underWay.get(address);
      if (same) return same;
      const parsed = parseIpAddress(address);
      if (!parsed) return Promise.resolve(noNames);
      if (resolvers.size >= mostAtOnce)
        return Promise.resolve(notAnswered("Too many addresses are being looked up."));
      return look(address, parsed, isWanted);
    },
    forget() {
      remembered.clear();
      underWay.clear();
    },
    close() {
      for (const resolver of resolvers) resolver.cancel();
    },
  };
}

function createResolver(servers: readonly string[] | undefined, timeoutMs: number): Resolver {
  // Two attempts: the first datagram may be lost.
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2 });
  if (!servers) return resolver;
  try {
    resolver.setServers(servers);
    return resolver;
  } catch (cause) {
    throw new AppError(
      "invalid-input",
      "A DNS server must be given as an IP address, with or without a port.",
      { cause },
    );
  }
}

async function lookBothWays(
  resolver: Resolver,
  address: IpAddress,
  isWanted: (name: string) => boolean,
): Promise<HostNames> {
  const reverse = await ask(() => resolver.resolvePtr(toReverseName(address)));
  if (!reverse) return notAnswered("The DNS did not answer in time, or its answer was not valid.");
  const names = new Set(reverse.map((name) => name.toLowerCase().replace(/\.$/, "")));
  const wanted = [...names]
    .filter((name) => name.length <= 253 && isWanted(name))
    .slice(0, crawlerLimits.dnsNames);
  const confirmed: string[] = [];
  const undecided: string[] = [];
  const lead = async (name: string): Promise<void> => {
    const answers = await ask(() =>
      address.family === 4 ? resolver.resolve4(name) : resolver.resolve6(name),
    );
    if (!answers) undecided.push(name);
    else if (answers.some((text) => parseIpAddress(text)?.value === address.value)) confirmed.push(name);
  };
  await Promise.all(wanted.map(lead));
  return { confirmed, undecided, problem: undefined };
}

/** Returns an empty list if the DNS has no such record, undefined if it does not answer. */
async function ask(question: () => Promise<string[]>): Promise<readonly string[] | undefined> {
  try {
    return await question();
  } catch (error) {
    return error instanceof Error && "code" in error && absences.has(error.code) ? [] : undefined;
  }
}

function notAnswered(problem: string): HostNames {
  return { confirmed: [], undecided: [], problem };
}

function toKind({ confirmed, undecided, problem }: HostNames): keyof typeof dnsCachedMs {
  if (problem !== undefined || undecided.length > 0) return "unknown";
  return confirmed.length > 0 ? "yes" : "no";
}

/** Returns the name for the reverse lookup (RFC 1035, section 3.5; RFC 3596, section 2.5). */
export function toReverseName(address: IpAddress): string {
  if (address.family === 4) {
    return `${[0, 8, 16, 24].map((shift) => (address.value >>> shift) & 255).join(".")}.in-addr.arpa`;
  }
  const digits = address.value.toString(16).padStart(32, "0");
  return `${Array.from(digits).reverse().join(".")}.ip6.arpa`;
}

/** Compares whole labels: `a.crawl.example` is under `crawl.example`, `notcrawl.example` is not. */
export function isUnder(name: string, suffix: string): boolean {
  return name === suffix || name.endsWith(`.${suffix}`);
}
