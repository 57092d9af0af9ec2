// Honest clients during an attack: one keeps its connection, one opens a new one for each request.
import { Agent as PlainAgent, request as requestPlain } from "node:http";
import { Agent as TlsAgent, request as requestTls } from "node:https";
import { setTimeout as pause } from "node:timers/promises";

export interface HonestTarget {
  readonly port: number;
  readonly isTls: boolean;
  readonly host: string;
  readonly path: string;
  readonly status: number;
  /** False if the address of the honest clients is the attacker's: a new connection may be beyond its share. */
  readonly mayConnect: boolean;
}

const from = "127.0.0.1";
/** Pause between two requests of a client: a person's, and no load of its own. */
const pauseMs = 5;
const patienceMs = 20_000;

/**
 * Asks until the promise resolves; returns the time of each answer, in milliseconds.
 * @throws Error for any other answer
 */
export async function askUntil(target: HonestTarget, end: Promise<unknown>): Promise<number[]> {
  const timesMs: number[] = [];
  let isOver = false;
  const over = end.finally(() => {
    isOver = true;
  });
  const askOn = async (keepAlive: boolean): Promise<void> => {
    const agent = new (target.isTls ? TlsAgent : PlainAgent)({ keepAlive, maxSockets: 1 });
    while (!isOver) {
      const askedMs = performance.now();
      const status = await ask(target, agent);
      if (status !== target.status) throw new Error(`An honest client got ${status}.`);
      timesMs.push(performance.now() - askedMs);
      await pause(pauseMs);
    }
    agent.destroy();
  };
  await Promise.all([over, askOn(true), ...(target.mayConnect ? [askOn(false)] : [])]);
  return timesMs;
}

function ask({ port, isTls, host, path }: HonestTarget, agent: PlainAgent): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { port, path, agent, host: "127.0.0.1", localAddress: from, headers: { host } };
    const request = isTls ? requestTls({ ...options, rejectUnauthorized: false }) : requestPlain(options);
    request.setTimeout(patienceMs, () => request.destroy(new Error("An honest client got no answer.")));
    request.once("error", reject).once("response", (response) => {
      response.resume().once("end", () => {
        resolve(response.statusCode!);
      });
    });
    request.end();
  });
}
