// Breaks a running service again and again, and checks it after each failure.
import { createRandom, type Random } from "../../../electron/pipeline/demo/random.ts";
import { failureKinds, type FailureKind, type Scene } from "./failure-kinds.ts";
import { startTrialService, type TrialOptions } from "./trial-service.ts";
import { TrialWitness } from "./trial-witness.ts";
import { TrialWork } from "./trial-work.ts";

export interface FailureOptions extends TrialOptions {
  readonly points: number;
  readonly seed: number;
  /** Only kinds whose name has this text. */
  readonly only?: string | undefined;
  /** Says one line. */
  readonly tell?: (line: string) => void;
}

export interface FailureCount {
  readonly kind: string;
  readonly points: number;
  readonly faults: readonly string[];
}

export interface FailureFigures {
  readonly counts: readonly FailureCount[];
  readonly revisions: number;
  readonly elapsedMs: number;
}

/** Runs the trial. A point's seed is that of the trial plus its number. @throws Error if the service cannot go on */
export async function runFailures(options: FailureOptions): Promise<FailureFigures> {
  const { points, seed, tell } = options;
  const startedMs = performance.now();
  const kinds = chooseKinds(options);
  const { service, end } = await startTrialService(options);
  try {
    await service.start();
    const work = await TrialWork.open(service, points);
    const witness = new TrialWitness(service, work, createRandom(seed));
    const tried = failureKinds.filter((kind) => kinds.includes(kind));
    const faults = new Map<FailureKind, string[]>(tried.map((kind) => [kind, []]));
    const scene = { service, work, witness };
    for (const [index, kind] of kinds.entries()) {
      const found = await runPoint(kind, { ...scene, random: createRandom(seed + index) });
      faults.get(kind)!.push(...found);
      const elapsedSeconds = Math.round((performance.now() - startedMs) / 1_000);
      tell?.(
        `${index + 1} of ${points}, seed ${seed + index}, ${elapsedSeconds} s: ${kind.name}${toEnd(found)}`,
      );
    }
    const late = await witness.checkAll();
    if (late.length > 0) throw new Error(`At the end: ${late.join("; ")}`);
    witness.close();
    await work.close();
    const counts = [...faults].map(([kind, found]) => ({
      kind: kind.name,
      points: kinds.filter((other) => other === kind).length,
      faults: found,
    }));
    return { counts, revisions: witness.revisionCount, elapsedMs: performance.now() - startedMs };
  } finally {
    await end();
  }
}

async function runPoint(kind: FailureKind, scene: Scene): Promise<string[]> {
  const { work, witness } = scene;
  witness.listen();
  const published = work.publishRound();
  const faults: string[] = [];
  // Both end before the check, whatever fails.
  const [happened, done] = await Promise.allSettled([kind.happen(scene), published]);
  if (happened.status === "fulfilled") faults.push(...happened.value);
  else faults.push(`${kind.name}: ${String(happened.reason)}`);
  if (done.status === "rejected") faults.push(`a publication failed: ${String(done.reason)}`);
  faults.push(...(await witness.check()));
  work.nextRound();
  return faults;
}

/** Returns the kinds of all points: each as often as its share, in random order. */
function chooseKinds({ points, seed, isSmall, only }: FailureOptions): readonly FailureKind[] {
  const possible = failureKinds.filter(
    (kind) => (!isSmall || kind.isSmall) && kind.name.includes(only ?? ""),
  );
  if (possible.length === 0) throw new Error(`No kind of failure has "${only}" in its name.`);
  const random = createRandom(seed);
  const once = possible.flatMap((kind) => Array.from({ length: isSmall ? 1 : kind.share }, () => kind));
  const all: FailureKind[] = [];
  while (all.length < points) all.push(...shuffle(once, random));
  return all.slice(0, points);
}

function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function toEnd(faults: readonly string[]): string {
  return faults.length === 0 ? "" : `: FAULTS: ${faults.join("; ")}`;
}

/** Returns the figures as a table. */
export function toTable({ counts, revisions, elapsedMs }: FailureFigures): string {
  const width = Math.max(...counts.map(({ kind }) => kind.length));
  const line = (kind: string, points: number | string, faults: number | string): string =>
    `${kind.padEnd(width)}  ${String(points).padStart(6)}  ${String(faults).padStart(6)}`;
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  return [
    line("failure", "points", "faults"),
    ...counts.map(({ kind, points, faults }) => line(kind, points, faults.length)),
    line("all", sum(counts.map(({ points }) => points)), sum(counts.map(({ faults }) => faults.length))),
    `${revisions} revisions, ${Math.round(elapsedMs / 1_000)} s`,
  ].join("\n");
}
