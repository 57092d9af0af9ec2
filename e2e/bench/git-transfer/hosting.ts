// Our side of the Git rows: a host in its own process, so that its memory is measured separately.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { forgetPeak, readMemory, type ProcessMemory } from "../../support/process-memory.ts";
import type { GitServer } from "./git-server.ts";

export type HostingOrder =
  | { readonly kind: "create" | "delete"; readonly name: string }
  | { readonly kind: "close" };

/** The answer to an order; both fields are present only for `create`. */
export interface HostingAnswer {
  readonly remote?: string;
  readonly token?: string;
}

export type HostingMemory = ProcessMemory;

export interface HostingServer extends GitServer {
  /** Returns the memory of the host process only, as the kernel counts it; undefined without /proc. */
  memory(): HostingMemory | undefined;
  forgetPeak(): void;
}

export async function startHosting(data: string): Promise<HostingServer> {
  const child = fork(fileURLToPath(new URL("hosting-process.ts", import.meta.url)), [data]);
  const ask = async (order: HostingOrder): Promise<HostingAnswer> => {
    child.send(order);
    return nextAnswer();
  };
  const ended = once(child, "close").then(() => {
    throw new Error("The benchmark's host has ended.");
  });
  // The next request reports the failure.
  ended.catch(() => undefined);
  const nextAnswer = async (): Promise<HostingAnswer> => {
    const [answer] = (await Promise.race([once(child, "message"), ended])) as [HostingAnswer];
    return answer;
  };
  await nextAnswer();
  return {
    name: "Echotop",
    async create(name) {
      const { remote, token } = await ask({ kind: "create", name });
      return { remote: remote!, token: token! };
    },
    async delete(name) {
      await ask({ kind: "delete", name });
    },
    memory: () => readMemory(child.pid!),
    forgetPeak: () => {
      forgetPeak(child.pid!);
    },
    async stop() {
      if (child.exitCode !== null) return;
      const over = once(child, "close");
      child.send({ kind: "close" });
      await over;
    },
  };
}
