// Runs on the network of a site: asks for the newest revision again and again through the proxies of both machines, and
// tells its parent, when that asks, what the answers were.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";

export interface LoadReport {
  /** Counts of each status, or of each error. */
  readonly outcomes: Readonly<Record<string, number>>;
}

const [caFile, host, path, ...addresses] = process.argv.slice(2) as [string, string, string, ...string[]];
const ca = readFileSync(caFile);
const outcomes: Record<string, number> = {};
const clientsOfEach = 2;

function ask(agent: Agent, address: string): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(
      { host: address, servername: host, headers: { host }, ca, path, agent },
      (response) => {
        response.on("error", () => {
          resolve("cut");
        });
        response.on("end", () => {
          resolve(String(response.statusCode));
        });
        response.resume();
      },
    );
    sent.on("error", (error) => {
      resolve(error.message);
    });
    sent.end();
  });
}

async function askAlways(address: string): Promise<never> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (;;) {
    const outcome = await ask(agent, address);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
}

process.on("message", () => {
  process.send!({ outcomes } satisfies LoadReport);
});
process.once("disconnect", () => process.exit());
await Promise.all(
  addresses.flatMap((address) => Array.from({ length: clientsOfEach }, () => askAlways(address))),
);
