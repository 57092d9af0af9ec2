// Asks the address of an overlay at its pace, and keeps its newest bytes. After a failure the last bytes stay, and the
// waits grow up to an hour; a server that asks for a longer wait gets it.
import { messageOf } from "../../../shared/app-error.ts";
import { overlaySourceLimits, type OverlayAddress } from "../../../shared/contract/overlays.ts";
import type { Effects } from "../../platform/effects.ts";
import { backoffMs, jitteredMs } from "../fetching/backoff.ts";
import { askAddress, AskFailure, type Validators } from "./ask-address.ts";
import { createGuardedFetch, type Lookup } from "./guarded-fetch.ts";
import { holdFile, toInstantOrNull, type HeldFile } from "./held-files.ts";
import { untouched, type OverlayReader, type SourceState } from "./overlay-source.ts";

export type AddressEffects = Pick<Effects, "now" | "log" | "sleep" | "random">;

export interface AddressReaderOptions {
  /** Name for the log and the file; any part of the address may hold a token, and is never told. */
  readonly name: string;
  readonly address: OverlayAddress;
  readonly effects: AddressEffects;
  /** Default: the system's. */
  readonly lookup?: Lookup | undefined;
}

const longestMs = overlaySourceLimits.maxSeconds * 1_000;

export function startAddressReader({ name, address, effects, lookup }: AddressReaderOptions): OverlayReader {
  const { now, log, sleep, random } = effects;
  const { url, everySeconds, allowPrivate } = address;
  const guarded = createGuardedFetch({ allowPrivate, lookup });
  const stopping = new AbortController();
  const { signal } = stopping;
  let state: SourceState = untouched;
  let file: HeldFile | undefined;
  let validators: Validators = {};
  let failures = 0;

  const ask = async (): Promise<number> => {
    try {
      const fetched = await askAddress({ url, fetch: guarded.fetch, validators, signal });
      const readAt = now().toISOString();
      if (fetched) {
        const { bytes, ...newer } = fetched;
        validators = newer;
        file = holdFile(name, bytes, {
          readAt,
          modifiedAt: toInstantOrNull(Date.parse(newer.lastModified ?? "")),
        });
      } else if (file) file = { ...file, readAt };
      if (failures > 0) log("info", `The overlay ${name} is read again.`);
      failures = 0;
      state = { lastReadAt: readAt, failingSince: null, problem: null, nextAt: null };
      return jitteredMs(everySeconds * 1_000, random);
    } catch (error) {
      signal.throwIfAborted();
      failures += 1;
      const isKnown = error instanceof AskFailure;
      const problem = isKnown ? error.message : "The address could not be read.";
      if (problem !== state.problem) {
        log(
          "warn",
          `The overlay ${name} could not be read: ${problem}`,
          isKnown ? {} : { why: messageOf(error) },
        );
      }
      state = { ...state, problem, failingSince: state.failingSince ?? now().toISOString(), nextAt: null };
      const bounds = {
        firstMs: everySeconds * 1_000,
        longestMs,
        askedMs: isKnown ? error.askedMs : undefined,
      };
      return backoffMs(failures, bounds, random);
    }
  };
  const run = async (): Promise<void> => {
    try {
      for (;;) {
        const waitMs = await ask();
        state = { ...state, nextAt: new Date(now().getTime() + waitMs).toISOString() };
        await sleep(waitMs, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await guarded.close();
    }
  };
  const ended = run();
  return {
    state: () => state,
    files: () => (file ? [file] : []),
    close: () => {
      stopping.abort();
      return ended;
    },
  };
}
