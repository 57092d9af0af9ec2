// The bridge to the desktop app, which its preload script puts on `window`.
import { desktopBridgeKey } from "../../shared/contract/action-names.ts";
import type { DesktopBridge } from "../../shared/contract/bridge.ts";

/** Returns undefined in an ordinary browser. */
export function findDesktopBridge(): DesktopBridge | undefined {
  const found: unknown = Reflect.get(window, desktopBridgeKey);
  // Only our own preload script runs before the scripts of the page.
  return typeof found === "object" && found !== null && "actions" in found
    ? (found as DesktopBridge)
    : undefined;
}
