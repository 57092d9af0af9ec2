// Watches one file for changes and replacements. The folder is watched, and because that is not reliable everywhere,
// the file is also checked every two seconds.
import { watch, type FSWatcher } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";

export interface Following {
  /** Reads now, or once more after the read in progress. Resolves when it is done. */
  readonly check: () => Promise<void>;
  /** Idempotent; waits for a read in progress. */
  readonly close: () => Promise<void>;
}

const lookEveryMs = 2000;
/** Writers write in pieces: changes within this time count as one. */
const settleMs = 50;

/** Calls `read`, which must not reject, one at a time; first at the first change or `check`. */
export function followFile(file: string, read: () => Promise<void>): Following {
  let isClosed = false;
  let reading = Promise.resolve();
  let isWaiting = false;
  let stamp: string | undefined;
  let settling: NodeJS.Timeout | undefined;

  const check = (): Promise<void> => {
    // The waiting read will see this change too.
    if (isWaiting || isClosed) return reading;
    isWaiting = true;
    reading = reading.then(async () => {
      isWaiting = false;
      if (isClosed) return;
      stamp = await toStamp(file);
      await read();
    });
    return reading;
  };
  const watching = watchFolder(file, () => {
    settling ??= setTimeout(() => {
      settling = undefined;
      void check();
    }, settleMs);
  });
  const look = async (): Promise<void> => {
    watching.renew();
    if ((await toStamp(file)) !== stamp) await check();
  };
  const timer = setInterval(() => void look(), lookEveryMs).unref();
  return {
    check,
    async close() {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(settling);
      watching.close();
      await reading;
    },
  };
}

/** Returns a text that changes when the file is written or replaced; "none" for a file that cannot be read. */
async function toStamp(file: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return "none";
  }
}

function watchFolder(file: string, onChange: () => void): { renew: () => void; close: () => void } {
  let watcher: FSWatcher | undefined;
  const name = basename(file);
  const stop = (): void => {
    watcher?.close();
    watcher = undefined;
  };
  const renew = (): void => {
    if (watcher) return;
    try {
      watcher = watch(dirname(file), { persistent: false }, (_event, changed) => {
        if (changed === null || changed === name) onChange();
      });
      watcher.on("error", stop);
    } catch {
      // The folder does not exist yet or cannot be watched; the timer still checks the file.
      stop();
    }
  };
  renew();
  return { renew, close: stop };
}
