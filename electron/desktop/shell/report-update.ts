// "Check for updates…": checks, and says the outcome in a dialog, because a person asked.
import { toUpdateSentence } from "../../../shared/actions/update-sentence.ts";
import type * as Electron from "electron";
import type { UpdateWatch } from "../updates/update-watch.ts";

export interface UpdateReportOptions {
  readonly electron: Pick<typeof Electron, "app" | "dialog">;
  readonly findWindow: () => Electron.BrowserWindow | undefined;
  readonly updates: UpdateWatch;
}

export async function checkAndReport({ updates, electron, findWindow }: UpdateReportOptions): Promise<void> {
  const version = electron.app.getVersion();
  const state = await updates.check();
  const window = findWindow();
  if (window === undefined) return;
  const offers = state.step === "available" && state.canInstall;
  const { response } = await electron.dialog.showMessageBox(window, {
    type: state.step === "failed" ? "warning" : "info",
    message: toUpdateSentence(state, version),
    ...(offers ? { buttons: ["Install when I quit", "Not now"], defaultId: 0, cancelId: 1 } : {}),
  });
  if (!offers || response !== 0) return;
  const installed = await updates.install();
  if (installed.step !== "failed") return;
  await electron.dialog.showMessageBox(window, {
    type: "warning",
    message: toUpdateSentence(installed, version),
  });
}
