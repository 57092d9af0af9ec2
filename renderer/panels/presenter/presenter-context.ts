// The context through which the parts of the presenter's window reach its session.
import { createContext, use } from "react";
import { useStore } from "zustand";
import type { PresenterSession, PresenterView } from "../../state/briefing/presenter-session.ts";

export interface Presenter {
  readonly session: PresenterSession;
}

export const PresenterContext = createContext<Presenter | undefined>(undefined);

export function usePresenter(): Presenter {
  const presenter = use(PresenterContext);
  if (!presenter) throw new Error("A panel is outside the presenter's window.");
  return presenter;
}

/** Selects from what the window knows; compared by identity, because two pictures have the same keys. */
export function usePresenterView<T>(select: (view: PresenterView) => T): T {
  return useStore(usePresenter().session.store, select);
}
