// Chooses the window of the app, with a sentence that explains the choice: Electron, else an app window of an
// installed browser, else no window.
import type { ElectronRuntime } from "./electron-runtime.ts";
import type { InstalledBrowser } from "./installed-browsers.ts";

export type Plan =
  | { readonly kind: "electron"; readonly executablePath: string; readonly sentence: string }
  | { readonly kind: "app-window"; readonly browser: InstalledBrowser; readonly sentence: string }
  | { readonly kind: "address"; readonly sentence: string };

export interface PlanFacts {
  readonly hasDisplay: boolean;
  /** True with `--no-open`. */
  readonly isWindowUnwanted: boolean;
  /** Called only if there is a display, because a download takes time. */
  readonly obtainElectron: () => Promise<ElectronRuntime>;
  readonly findBrowser: () => InstalledBrowser | undefined;
  /** Electron and Chromium refuse their sandbox to root. */
  readonly isRoot: boolean;
}

export async function choosePlan(facts: PlanFacts): Promise<Plan> {
  if (facts.isWindowUnwanted) {
    return { kind: "address", sentence: "No window, as requested; open the address in a browser." };
  }
  if (!facts.hasDisplay) {
    return {
      kind: "address",
      sentence:
        "There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set); open the address in a browser.",
    };
  }
  const electron = await facts.obtainElectron();
  if (electron.isThere) {
    const { executablePath } = electron;
    return { kind: "electron", executablePath, sentence: `Opening Echotop in Electron.${asRoot(facts)}` };
  }
  return planWithoutElectron(electron.reason, facts);
}

/** Chooses between a browser and no window, also if Electron could not start. */
export function planWithoutElectron(reason: string, facts: Pick<PlanFacts, "findBrowser" | "isRoot">): Plan {
  const why = `Electron is not available here (${reason})`;
  const browser = facts.findBrowser();
  if (browser === undefined) {
    const sentence = `${why}, and no Chrome, Chromium or Edge is installed; open the address in a browser.`;
    return { kind: "address", sentence };
  }
  const sentence = `${why}; opening an app window of ${browser.name} instead.${asRoot(facts)}`;
  return { kind: "app-window", browser, sentence };
}

function asRoot({ isRoot }: Pick<PlanFacts, "isRoot">): string {
  return isRoot ? " As root, it runs without its sandbox." : "";
}
