// The meaning of "unchanged": the visitor gets what the origin would have sent directly.
import { expect } from "vitest";
import { curl } from "../support/curl.ts";
import { visitors, type GatewayHost, type VisitOptions } from "./gateway-host.ts";

/** Headers of one connection or of the moment. */
const ownOfEach: ReadonlySet<string> = new Set(["connection", "keep-alive", "transfer-encoding", "date"]);

/**
 * Expects status, headers and bytes of a visit, by default the training crawler's, to equal those of a direct
 * request.
 */
export async function expectUnchanged(
  host: GatewayHost,
  target: string,
  ...args: readonly string[]
): Promise<void> {
  await expectUnchangedFor(host, target, { ...visitors.train, args });
}

export async function expectUnchangedFor(
  host: GatewayHost,
  target: string,
  visitor: VisitOptions,
): Promise<void> {
  const through = await host.visit(target, visitor);
  const { agent = "", args = [] } = visitor;
  const direct = await curl(host.origin.url + target, ["-A", agent, ...args]);
  expect({ status: through.status, headers: ofThePage(through.headers) }).toEqual({
    status: direct.status,
    headers: ofThePage(direct.headers),
  });
  expect(through.body.equals(direct.body)).toBe(true);
}

function ofThePage(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ownOfEach.has(name)));
}
