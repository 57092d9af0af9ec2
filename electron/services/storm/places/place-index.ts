// Searches the gazetteer in memory: each typed word begins a word of the place's name or, after the first, of its
// county or state. An identifier finds its airport or radar, digits a ZIP code. Best match first, then by population.
import type { FoundPlace } from "./place-provider.ts";
import { fold } from "./fold.ts";
import type { GazetteerData } from "./gazetteer-data.ts";
import { createZipSearch } from "./zip-search.ts";
import { toEntries, toPlace } from "./place-entries.ts";
import type { Entry, Surroundings } from "./place-entry.ts";
import { createWordIndex, type WordIndex } from "./word-index.ts";

export interface PlaceIndex {
  /** Returns at most `limit` places, best first. */
  search(query: string, limit: number): FoundPlace[];
}

/** More words than any name has; the rest is ignored. */
const maxTokens = 10;
const minTypoLength = 4;
const maxNameCorrections = 12;
const maxSurroundingCorrections = 3;

/** A query as words; the one at `soughtBy` is in the name. */
interface Reading {
  readonly tokens: readonly string[];
  readonly soughtBy: number;
}

export function createPlaceIndex(data: GazetteerData): PlaceIndex {
  const entries = toEntries(data);
  const names = createWordIndex(entries.length, (entry) => entries[entry]!.forms);
  const around = [...new Set(entries.map((entry) => entry.surroundings))];
  const surroundings = createWordIndex(around.length, (place) => around[place]!.words);
  const search = createSearch(entries, names, (entry) => toPlace(data, entry));
  const searchZips = createZipSearch(data);
  return {
    search(query, limit) {
      const zips = searchZips(query, limit);
      if (zips.length > 0) return zips;
      const tokens = fold(query)
        .split(" ")
        .filter((token) => token !== "")
        .slice(0, maxTokens);
      if (tokens.length === 0) return [];
      const found = search([{ tokens, soughtBy: 0 }], limit);
      return found.length > 0 ? found : search(correct(tokens, names, surroundings), limit);
    },
  };
}

/** Returns the readings of a query if exactly one word is unknown and one typing error away from known ones. */
function correct(tokens: readonly string[], names: WordIndex, surroundings: WordIndex): Reading[] {
  const unknown = tokens.flatMap((token, index) =>
    names.hasPrefix(token) || (index > 0 && surroundings.hasPrefix(token)) ? [] : [index],
  );
  const [wrong] = unknown;
  if (wrong === undefined || unknown.length > 1 || tokens[wrong]!.length < minTypoLength) return [];
  const token = tokens[wrong]!;
  const inName = names.findSimilar(token, maxNameCorrections);
  const around = wrong > 0 ? surroundings.findSimilar(token, maxSurroundingCorrections) : [];
  return [
    ...inName.map((word): Reading => ({ tokens: tokens.with(wrong, word), soughtBy: wrong })),
    ...around.map((word): Reading => ({ tokens: tokens.with(wrong, word), soughtBy: 0 })),
  ];
}

/** Returns a function that searches several readings of a query. */
function createSearch(entries: readonly Entry[], names: WordIndex, toPlace: (entry: Entry) => FoundPlace) {
  const seen = new Uint32Array(entries.length);
  let round = 0;
  return (readings: readonly Reading[], limit: number): FoundPlace[] => {
    const best = createRanking(limit);
    for (const { tokens, soughtBy } of readings) {
      round += 1;
      const prefixes = tokens.map((_, index) => tokens.slice(0, index + 1).join(" "));
      names.visitPrefix(tokens[soughtBy]!, (entry) => {
        if (seen[entry] === round) return;
        seen[entry] = round;
        const rank = rankEntry(entries[entry]!, tokens, prefixes);
        if (rank !== undefined) best.offer(entry, rank * entries.length + entry);
      });
    }
    return withoutDoubles(best.list().map((entry) => toPlace(entries[entry]!)));
  };
}

/** Keeps the `limit` lowest scores in order, each entry once. */
function createRanking(limit: number) {
  const kept: { entry: number; score: number }[] = [];
  return {
    offer(entry: number, score: number): void {
      if (kept.length === limit && score >= kept.at(-1)!.score) return;
      const earlier = kept.findIndex((item) => item.entry === entry);
      if (earlier >= 0) {
        if (kept[earlier]!.score <= score) return;
        kept.splice(earlier, 1);
      }
      const place = kept.findIndex((item) => item.score > score);
      kept.splice(place < 0 ? kept.length : place, 0, { entry, score });
      if (kept.length > limit) kept.pop();
    },
    list: () => kept.map(({ entry }) => entry),
  };
}

/** Removes places that the list has twice, as a town and as its village. */
function withoutDoubles(places: readonly FoundPlace[]): FoundPlace[] {
  const known = new Set<string>();
  return places.filter(({ label, context }) => {
    const key = `${label}\n${context}`;
    return !known.has(key) && known.add(key);
  });
}

/** Penalties of the words after the name: no words, a state, or only beginnings. */
const penalties = [0, 1, 3];

/**
 * Returns the rank of a match, 0 best: by name, then by the words after it. Undefined without a match. `prefixes[k]` is
 * the first k + 1 tokens as one text.
 */
function rankEntry(entry: Entry, tokens: readonly string[], prefixes: readonly string[]): number | undefined {
  let best: number | undefined;
  for (let count = tokens.length; count > 0; count -= 1) {
    const name = rankName(entry.forms, tokens, count, prefixes[count - 1]!);
    if (name === undefined) continue;
    const around = count === tokens.length ? 0 : rankSurroundings(entry.surroundings, tokens, count);
    if (around === undefined) continue;
    const rank = 2 * name + penalties[around]!;
    if (best === undefined || rank < best) best = rank;
  }
  return best;
}

/** Returns 0 for the whole name, 1 for its beginning, 2 for beginnings of its words. */
function rankName(
  forms: readonly string[],
  tokens: readonly string[],
  count: number,
  typed: string,
): number | undefined {
  let best: number | undefined;
  for (const form of forms) {
    if (form.startsWith(typed)) {
      if (form.length === typed.length) return 0;
      best = 1;
    } else if (best === undefined && holdsAll(form, tokens, count)) best = 2;
  }
  return best;
}

function holdsAll(form: string, tokens: readonly string[], count: number): boolean {
  for (let index = 0; index < count; index += 1) {
    const token = tokens[index]!;
    if (!form.startsWith(token) && !form.includes(` ${token}`)) return false;
  }
  return true;
}

/** Returns 1 for the whole state, 2 for beginnings of words of county and state. */
function rankSurroundings(around: Surroundings, tokens: readonly string[], from: number): number | undefined {
  const typed = tokens.slice(from).join(" ");
  if (around.state.includes(typed)) return 1;
  for (let index = from; index < tokens.length; index += 1) {
    if (!around.words.some((word) => word.startsWith(tokens[index]!))) return undefined;
  }
  return 2;
}
