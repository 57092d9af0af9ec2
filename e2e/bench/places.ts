// Row 7: place search over the whole gazetteer with seeded queries as people type them: prefixes of every length, with
// or without a state, with or without diacritics, and with typing errors.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../../electron/pipeline/demo/random.ts";
import { writeGazetteer } from "../../electron/services/storm/places/build-gazetteer.ts";
import { fold } from "../../electron/services/storm/places/fold.ts";
import { GazetteerData } from "../../electron/services/storm/places/gazetteer-data.ts";
import { createGazetteer } from "../../electron/services/storm/places/gazetteer.ts";
import { makeTemporaryDirectory, removeDirectory } from "../../electron/support/host-process.ts";
import type { BenchRow } from "./bench-row.ts";

const queryCount = 20_000;
const warmUpCount = 2_000;
const targetMs = 5;
const maxResults = 10;

export async function run(): Promise<BenchRow[]> {
  const directory = makeTemporaryDirectory("bench-places");
  try {
    const file = join(directory, "places.json");
    await writeGazetteer(file);
    const queries = makeQueries(GazetteerData.parse(JSON.parse(readFileSync(file, "utf8"))));
    const gazetteer = createGazetteer(file);
    const startedMs = performance.now();
    await gazetteer.search("norman");
    const firstMs = performance.now() - startedMs;
    const times: number[] = [];
    let found = 0;
    for (const query of queries) {
      const beforeMs = performance.now();
      const { results } = await gazetteer.search(query);
      times.push(performance.now() - beforeMs);
      if (results.length > maxResults) throw new Error(`"${query}" found ${results.length} places.`);
      if (results.length > 0) found += 1;
    }
    return [toRow(times.slice(warmUpCount), found / queries.length, firstMs)];
  } finally {
    removeDirectory(directory);
  }
}

function toRow(times: number[], foundShare: number, firstMs: number): BenchRow {
  const sorted = times.sort((a, b) => a - b);
  const quantile = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  const p99 = quantile(0.99);
  const ms = (value: number): string => `${value.toFixed(2)} ms`;
  return {
    row: 7,
    name: "place search over the whole gazetteer",
    metric: "ms, p99",
    ours: p99,
    peer: null,
    peerName: "-",
    ratio: null,
    target: `under ${targetMs} ms`,
    met: p99 < targetMs,
    note: `${sorted.length} queries, ${Math.round(foundShare * 100)}% found something; median ${ms(quantile(0.5))}, longest ${ms(quantile(1))}; first search, including reading the gazetteer, ${ms(firstMs)}`,
  };
}

function makeQueries({ cities, counties, states }: GazetteerData): string[] {
  const random = createRandom(0x5eed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  return Array.from({ length: queryCount + warmUpCount }, () => {
    const city = Math.floor(random() * cities.name.length);
    const state = states[cities.state[city]!]!;
    const name = random() < 0.9 ? cities.name[city]! : pick(counties).label;
    const typed = name.slice(0, 2 + Math.floor(random() * name.length));
    const full = random() < 0.3 ? `${name}, ${random() < 0.5 ? state.postal : state.label}` : typed;
    const plain = random() < 0.5 ? fold(full) : full;
    return random() < 0.15 ? mistype(plain, random) : plain;
  });
}

/** Swaps two neighboring letters or drops one. */
function mistype(text: string, random: () => number): string {
  const at = Math.floor(random() * (text.length - 1));
  const swapped = random() < 0.5 ? text[at + 1]! + text[at]! : text[at]!;
  return text.slice(0, at) + swapped + text.slice(at + 2);
}
