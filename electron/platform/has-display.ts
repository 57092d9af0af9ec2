// Whether this machine can show a window.

/** Returns true on macOS and Windows, and elsewhere if `DISPLAY` or `WAYLAND_DISPLAY` is set. */
export function hasDisplay(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  if (platform === "darwin" || platform === "win32") return true;
  return [env.DISPLAY, env.WAYLAND_DISPLAY].some((value) => value !== undefined && value !== "");
}
