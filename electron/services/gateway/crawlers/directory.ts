// The known crawlers, compiled from their file for lookups by name and by signing key.
import { jwkToKeyID, type Verify } from "web-bot-auth";
import { helpers, verifierFromJWK } from "web-bot-auth/crypto";
import { createAddressSet, type AddressSet } from "../../../platform/addresses/address-set.ts";
import { parsePublishedRange } from "./published-range.ts";
import type { DirectoryEntry, DirectoryFile } from "./directory-file.ts";
import { parseAgentUrl } from "./signature-headers.ts";
import { createNameFinder, isRobotsToken, type NameFinder } from "./user-agent-names.ts";

export interface Crawler {
  readonly name: string;
  readonly operator: string;
  readonly category: string;
  readonly ranges: AddressSet;
  /** Lower case, without a leading dot. */
  readonly dnsSuffixes: readonly string[];
  /** True if it has pinned keys. */
  readonly canSign: boolean;
}

export interface PinnedKey {
  /** Resolves if the signature belongs to the key, rejects otherwise. */
  readonly verify: Verify<void>;
  /** Owners of the key. */
  readonly crawlers: readonly Crawler[];
}

export interface Directory {
  /** ISO, as in the file. */
  readonly updatedAt: string | undefined;
  readonly crawlers: readonly Crawler[];
  readonly names: NameFinder;
  /** Returns every crawler that the user agent names. */
  readonly findClaimed: (userAgent: string) => readonly Crawler[];
  /** By the normalized URL of the signature agent: keys by their JWK thumbprint (RFC 7638). */
  readonly agents: ReadonlyMap<string, ReadonlyMap<string, PinnedKey>>;
  /** Names in the file that are not matched, because only robots.txt uses them. */
  readonly ignoredNames: readonly string[];
}

export const emptyDirectory: Directory = {
  updatedAt: undefined,
  crawlers: [],
  names: createNameFinder([]),
  findClaimed: () => [],
  agents: new Map(),
  ignoredNames: [],
};

export async function compileDirectory(file: DirectoryFile): Promise<Directory> {
  const byName = new Map<string, Crawler[]>();
  const agents = new Map<string, Map<string, KeyInMaking>>();
  const ignoredNames: string[] = [];
  const crawlers: Crawler[] = [];
  for (const entry of file.bots) {
    const crawler = toCrawler(entry);
    crawlers.push(crawler);
    for (const name of entry.user_agents) {
      if (isRobotsToken(name)) ignoredNames.push(name);
      else addTo(byName, name.toLowerCase(), crawler);
    }
    await pinKeys(agents, entry, crawler);
  }
  const names = createNameFinder(byName.keys());
  return {
    updatedAt: file.updated_at,
    crawlers,
    names,
    findClaimed: (userAgent) => [...new Set(names.find(userAgent).flatMap((name) => byName.get(name) ?? []))],
    agents,
    ignoredNames,
  };
}

function toCrawler(entry: DirectoryEntry): Crawler {
  const { name, operator, category, ranges, dns_suffixes: dnsSuffixes, signature_agents: agents } = entry;
  return {
    ...{ name, operator, category, dnsSuffixes },
    ranges: createAddressSet(ranges.map((cidr) => parsePublishedRange(cidr)!)),
    canSign: agents.some(({ keys }) => keys.length > 0),
  };
}

interface KeyInMaking extends PinnedKey {
  readonly crawlers: Crawler[];
}

async function pinKeys(
  agents: Map<string, Map<string, KeyInMaking>>,
  { signature_agents }: DirectoryEntry,
  crawler: Crawler,
): Promise<void> {
  for (const { url, keys } of signature_agents) {
    const agent = parseAgentUrl(url)!;
    const pinned = agents.get(agent) ?? new Map<string, KeyInMaking>();
    agents.set(agent, pinned);
    for (const { kty, crv, x } of keys) {
      const key = { kty, crv, x };
      const keyId = await jwkToKeyID(key, helpers.WEBCRYPTO_SHA256, helpers.BASE64URL_DECODE);
      const known = pinned.get(keyId);
      if (!known) pinned.set(keyId, { verify: await verifierFromJWK(key), crawlers: [crawler] });
      else if (!known.crawlers.includes(crawler)) known.crawlers.push(crawler);
    }
  }
}

function addTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (!values) map.set(key, [value]);
  else if (!values.includes(value)) values.push(value);
}
