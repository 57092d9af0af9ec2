// The host process that the Git rows measure: the real composition. It creates its repositories through its own
// interface.
import { defaultApiConfig } from "../../../electron/host/config/host-config.ts";
import { startLocalHost } from "../../support/local-host.ts";
import type { HostingAnswer, HostingOrder } from "./hosting.ts";

const [data] = process.argv.slice(2);
const host = await startLocalHost(data!, { api: { ...defaultApiConfig, isOn: true, port: 0 } });
const packs = host.bindings().PACKS!;

process.on("message", (order: HostingOrder) => {
  void answer(order).then((said) => {
    if (said) process.send!(said);
    else process.disconnect();
  });
});
process.send!({});

/** Carries out one order; returns undefined once the host is closed. */
async function answer(order: HostingOrder): Promise<HostingAnswer | undefined> {
  switch (order.kind) {
    case "create": {
      const { remote, token } = await packs.create(order.name);
      return { remote, token };
    }
    case "delete":
      await packs.delete(order.name);
      return {};
    case "close":
      await host.close();
      return undefined;
  }
}
