// Has each wanted swath measured off the page's thread: the frames used, and the cells and areas of its classes.
import { isAppError } from "../../shared/app-error.ts";
import type { AnalysisClient } from "../frames/analysis-client.ts";
import { selectSoFar, selectSoFarAhead } from "./so-far.ts";
import type { MadeSoFar, SoFar } from "./so-far-windows.ts";
import type { ViewerStore } from "./store.ts";

/** Returns a function that ends it. */
export function readSoFar(store: ViewerStore, client: Pick<AnalysisClient, "measureSwath">): () => void {
  let wanted: readonly SoFar[] = [];
  let abort = new AbortController();

  async function measure(soFar: SoFar, key: string, signal: AbortSignal): Promise<void> {
    const known = store.getState().soFarMade[key];
    store.getState().learnSoFar(key, { read: 0, facts: undefined, ...known, soFar });
    if (known?.facts) return;
    const learn = (made: Omit<MadeSoFar, "soFar">): void => {
      if (!signal.aborted) store.getState().learnSoFar(key, { soFar, ...made });
    };
    const facts = await client.measureSwath(soFar.frames, signal, (read) => {
      learn({ read, facts: undefined });
    });
    learn({ read: soFar.frames.length, facts });
  }

  async function measureAll(signal: AbortSignal): Promise<void> {
    try {
      for (const soFar of wanted) if (soFar.picture) await measure(soFar, soFar.picture.imageUrl, signal);
    } catch (error) {
      // Frames that cannot be read are part of the answer; without its worker there is none.
      if (!signal.aborted && !isAppError(error)) throw error;
    }
  }

  function look(): void {
    const state = store.getState();
    const next = [selectSoFar(state), ...selectSoFarAhead(state)].filter((soFar) => soFar !== undefined);
    if (next.length === wanted.length && next.every((soFar, index) => isSame(soFar, wanted[index]!))) return;
    wanted = next;
    abort.abort();
    abort = new AbortController();
    void measureAll(abort.signal);
  }

  const unsubscribe = store.subscribe(look);
  return () => {
    unsubscribe();
    abort.abort();
  };
}

function isSame(first: SoFar, second: SoFar): boolean {
  return (
    first.picture?.imageUrl === second.picture?.imageUrl &&
    first.fromMs === second.fromMs &&
    first.toMs === second.toMs &&
    first.knownAt === second.knownAt
  );
}
