// The desktop around the page, where there is one: the bridge that the preload script put on `window`.
import { desktopBridgeKey } from "../../shared/contract/action-names.ts";
import type { DesktopBridge } from "../../shared/contract/bridge.ts";

/** Undefined in an ordinary browser. */
export function findDesktopBridge(): DesktopBridge | undefined {
  const found: unknown = Reflect.get(window, desktopBridgeKey);
  // Only our own preload script can have put it there, before any script of the page.
  return typeof found === "object" && found !== null && "actions" in found
    ? (found as DesktopBridge)
    : undefined;
}
