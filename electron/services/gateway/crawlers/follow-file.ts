// Notices that a file was changed or replaced, as editors do it: the folder is watched, and because watching is not to be
// relied upon everywhere, the file is looked at every two seconds as well.
import { watch, type FSWatcher } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";

export interface Following {
  /** Reads now, or once more after the reading under way. Resolves when it is done. */
  readonly check: () => Promise<void>;
  /** Idempotent; waits for a reading under way. */
  readonly close: () => Promise<void>;
}

const lookEveryMs = 2000;
/** Writers write in pieces: what follows at once belongs together. */
const settleMs = 50;

/** `read` must not reject. It is called one at a time, for the first time at the first change or `check`. */
export function followFile(file: string, read: () => Promise<void>): Following {
  let isClosed = false;
  let reading = Promise.resolve();
  let isWaiting = false;
  let stamp: string | undefined;
  let settling: NodeJS.Timeout | undefined;

  const check = (): Promise<void> => {
    // One that waits for its turn will see this change too.
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

/** What changes when a file is written to or replaced; one text for every file that cannot be looked at. */
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
      // No such folder yet, or none that can be watched: the file is looked at all the same.
      stop();
    }
  };
  renew();
  return { renew, close: stop };
}
