// Has each wanted swath measured off the page's thread: the frames used, and the cells and areas of its classes.
import { isAppError } from "../../../shared/app-error.ts";
import type { AnalysisClient } from "../../frames/analysis-client.ts";
import type { FrameRef } from "../../frames/frame-ref.ts";
import { selectDrawnSoFar, selectSoFar, selectSoFarAhead } from "./so-far.ts";
import type { MadeSoFar, SoFar } from "./so-far-windows.ts";
import type { ViewerState, ViewerStore } from "../store.ts";

/** Pictures of a swath on its way, and the least frames from one to the next. */
const growths = 8;
const leastGrowth = 4;

/** Returns true until a whole swath has been on screen: a later one replaces the one before it at once. */
function isFirst(state: ViewerState): boolean {
  return selectDrawnSoFar(state) === undefined;
}

/** Returns a function that ends it. */
export function readSoFar(store: ViewerStore, client: Pick<AnalysisClient, "measureSwath">): () => void {
  let wanted: readonly SoFar[] = [];
  let abort = new AbortController();
  /** The frames of the swath asked for last. */
  let asked: readonly FrameRef[] = [];

  async function measure(soFar: SoFar, key: string, signal: AbortSignal): Promise<void> {
    const known = store.getState().soFarMade[key];
    store.getState().learnSoFar(key, { read: 0, grown: 0, facts: undefined, ...known, soFar });
    if (known?.facts) return;
    const learn = (made: Omit<MadeSoFar, "soFar">): void => {
      if (!signal.aborted) store.getState().learnSoFar(key, { soFar, ...made });
    };
    const all = soFar.frames.length;
    const isGrowing = soFar === wanted[0] && isFirst(store.getState());
    const step = isGrowing ? Math.max(leastGrowth, Math.ceil(all / growths)) : all;
    // Playback moves on before the first one is whole: the worker continues, and never begins again.
    const isContinued = asked.every(({ imageUrl }, index) => imageUrl === soFar.frames[index]?.imageUrl);
    const from = isContinued ? asked.length : 0;
    for (let grown = Math.min(from + step, all); ; grown = Math.min(grown + step, all)) {
      asked = soFar.frames.slice(0, grown);
      // The map asks for each part before it is measured, so that the worker draws it on its way to the next one.
      learn({ read: store.getState().soFarMade[key]?.read ?? 0, grown, facts: undefined });
      const facts = await client.measureSwath(asked, signal, (read) => {
        learn({ read, grown, facts: undefined });
      });
      if (grown < all) continue;
      learn({ read: all, grown, facts });
      return;
    }
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
