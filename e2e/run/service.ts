// `npm run test:service`: all tests of a service on real engines, started by the tests. First it names those engines
// that are not installed here.
import { join } from "node:path";
import { cephGateway } from "../../electron/support/engines/ceph-gateway.ts";
import { hasPostgres } from "../../electron/support/engines/postgres-programs.ts";
import { swiftServers } from "../../electron/support/engines/swift-servers.ts";
import { hasBalancer } from "../support/balancer.ts";
import { runBrowserTests } from "./browser-tests.ts";
import { runSteps, vitestStep } from "./run-steps.ts";

const engines = [
  { name: "PostgreSQL", isInstalled: hasPostgres, install: "apt-get install postgresql" },
  { name: "haproxy", isInstalled: hasBalancer, install: "apt-get install haproxy" },
  ...[cephGateway, swiftServers].map((engine) => ({ ...engine, isInstalled: engine.isInstalled() })),
];
for (const { name, isInstalled, install } of engines) {
  process.stderr.write(`${name}: ${isInstalled ? "tested" : `skipped; ${install}`}\n`);
}

await runSteps([
  vitestStep("engines, and the storm contract on two readers", ".config/vitest.service.config.ts"),
  [
    "browser tests on two readers",
    (reports) => runBrowserTests(join(reports, "browser.json"), { readers: "all" }),
  ],
]);
