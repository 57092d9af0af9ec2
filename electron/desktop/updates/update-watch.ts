// The life of updates: when to check, what to load, and what is installed when Echotop quits.
import { isAppError } from "../../../shared/app-error.ts";
import type { UpdateMode, UpdateState } from "../../../shared/contract/desktop.ts";
import { toStorageError } from "../../platform/disk/storage-error.ts";
import { createMutex } from "../../platform/locks/mutex.ts";
import type { PackageUpdater } from "./package-updater.ts";

export interface UpdateWatchOptions {
  /** Opens the updater at the present address. @throws AppError with the reason why there are no updates */
  readonly open: () => Promise<PackageUpdater>;
  /** False where the system's package manager installs: the person is only told. */
  readonly canInstall: boolean;
  readonly mode: UpdateMode;
  readonly onChange: (state: UpdateState) => void;
  readonly report: (message: string, facts: Readonly<Record<string, unknown>>) => void;
}

export interface UpdateWatch {
  readonly state: () => UpdateState;
  readonly mode: () => UpdateMode;
  /** Turning it off also forgets an update that is ready. */
  setMode: (mode: UpdateMode) => void;
  /** Checks, and loads a newer version in mode `install`. Resolves with the outcome. Never rejects. */
  check: () => Promise<UpdateState>;
  /** Loads the available version. Resolves with the outcome. Never rejects. */
  install: () => Promise<UpdateState>;
  /** Ends the checks, and installs what is ready. The application must end right after. */
  finish: () => Promise<void>;
}

/** First check after the start, when the viewer has drawn its first picture. */
const firstCheckMs = 30_000;
const checkEveryMs = 12 * 3_600_000;

export function watchUpdates(options: UpdateWatchOptions): UpdateWatch {
  const { open, canInstall, onChange, report } = options;
  const mutex = createMutex();
  let { mode } = options;
  let state: UpdateState = { step: "unknown" };
  let updater: PackageUpdater | undefined;
  /** Counts how often updates were turned off: a download that was under way then is not installed. */
  let offCount = 0;

  const change = (next: UpdateState): UpdateState => {
    state = next;
    onChange(next);
    return next;
  };
  const attempt = async (work: () => Promise<UpdateState>): Promise<UpdateState> => {
    try {
      return change(await work());
    } catch (error) {
      report("An update failed.", { error });
      const known = toStorageError(error, "The update could not be stored");
      const sentence = isAppError(known)
        ? known.detail
        : "The update failed for an unknown reason; see the log.";
      return change({ step: "failed", sentence });
    }
  };
  const download = (version: string): Promise<UpdateState> =>
    attempt(async () => {
      const before = offCount;
      change({ step: "downloading", version });
      await updater!.download();
      return before === offCount ? { step: "ready", version } : { step: "unknown" };
    });
  const check = (): Promise<UpdateState> =>
    mutex(async () => {
      if (state.step === "ready") return state;
      const found = await attempt(async () => {
        change({ step: "checking" });
        updater = await open();
        const version = await updater.check();
        return version === undefined ? { step: "current" } : { step: "available", version, canInstall };
      });
      return found.step === "available" && canInstall && mode === "install" ? download(found.version) : found;
    });

  const checkByItself = (): void => {
    if (mode !== "off") void check();
  };
  const timers = [setTimeout(checkByItself, firstCheckMs), setInterval(checkByItself, checkEveryMs)];
  for (const timer of timers) timer.unref();

  return {
    state: () => state,
    mode: () => mode,
    setMode: (next) => {
      mode = next;
      if (mode !== "off") return;
      offCount += 1;
      if (state.step !== "downloading") change({ step: "unknown" });
    },
    check,
    install: () =>
      mutex(() =>
        state.step === "available" && canInstall ? download(state.version) : Promise.resolve(state),
      ),
    finish: async () => {
      for (const timer of timers) clearTimeout(timer);
      if (state.step !== "ready") return;
      try {
        await updater!.install();
      } catch (error) {
        report("The update could not be installed.", { error });
      }
    },
  };
}
