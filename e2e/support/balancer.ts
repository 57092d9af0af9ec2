// haproxy in front of two readers, without TLS: one request or one connection for each in turn.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fillExample } from "./deploy-example.ts";
import { untilAnswering } from "./nginx.ts";

export const hasBalancer = spawnSync("haproxy", ["-v"], { stdio: "ignore" }).error === undefined;

/** "requests" reads HTTP, as the example for administrators does; "connections" passes any bytes on. */
export type BalancedUnit = "requests" | "connections";

export interface BalancerOptions {
  readonly port: number;
  /** `HOST:PORT` of each reader. */
  readonly readers: readonly [string, string];
  readonly unit: BalancedUnit;
  readonly folder: string;
}

export interface Balancer {
  stop(): Promise<void>;
}

export async function startBalancer({ port, readers, unit, folder }: BalancerOptions): Promise<Balancer> {
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, unit === "requests" ? requestConfig(port, readers) : connectionConfig(port, readers));
  const child = spawn("haproxy", ["-q", "-f", file], { stdio: "ignore" });
  await untilAnswering("haproxy", child, port);
  return {
    async stop() {
      const ended = once(child, "close");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Health checks are left out: a reader that a test ends is missed by the next request. */
function requestConfig(port: number, [first, second]: BalancerOptions["readers"]): string {
  return fillExample("haproxy.cfg", [
    [":443 ssl crt /etc/haproxy/wx.example.pem", `127.0.0.1:${port}`],
    ["balance leastconn", "balance roundrobin"],
    ["default-server check inter", "default-server inter"],
    ["192.0.2.11:47800 check port 47809", first],
    ["192.0.2.12:47800 check port 47809", second],
  ]);
}

function connectionConfig(port: number, [first, second]: BalancerOptions["readers"]): string {
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 60s
  timeout server 60s
frontend viewers
  bind 127.0.0.1:${port}
  default_backend readers
backend readers
  balance roundrobin
  server reader1 ${first}
  server reader2 ${second}
`;
}
