// A shared cache in front of a public service: nginx on a clock of its own, which the test sets.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startNginxWith } from "../support/nginx.ts";

export const clockLibrary = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

export const hasOwnClock = existsSync(clockLibrary);

export interface SharedCache {
  readonly origin: string;
  /** Sets the cache's clock to this many seconds after its start. */
  setSeconds(seconds: number): void;
  stop(): Promise<void>;
}

/** Starts the cache of a service at `service`, its origin. */
export async function startSharedCache(service: string, directory: string): Promise<SharedCache> {
  mkdirSync(directory, { recursive: true });
  const clockFile = join(directory, "clock");
  writeFileSync(clockFile, "+0");
  const block = `
    location / {
      proxy_pass ${service};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_cache shared;
      proxy_cache_lock on;
      proxy_cache_use_stale updating;
    }`;
  const nginx = await startNginxWith(
    block,
    directory,
    `proxy_cache_path ${join(directory, "cache")} keys_zone=shared:10m inactive=1h;`,
    {
      LD_PRELOAD: clockLibrary,
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
  );
  return {
    origin: `http://127.0.0.1:${nginx!.port}`,
    setSeconds: (seconds) => {
      writeFileSync(clockFile, `+${seconds}`);
    },
    stop: () => nginx!.stop(),
  };
}
