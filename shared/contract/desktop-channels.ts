// Names of the desktop bridge's channels. They stand apart from the schemas so that the preload script, which parses
// nothing, stays a few hundred bytes.

export const desktopActionNames = ["app.info", "files.add"] as const;
export type DesktopActionName = (typeof desktopActionNames)[number];

/** The name under which the preload script puts the bridge on `window`. */
export const desktopBridgeKey = "echotop";

/** The IPC channel that carries one action's calls. */
export function channelOf(action: DesktopActionName): `echotop:${DesktopActionName}` {
  return `echotop:${action}`;
}

/** The IPC channel on which the shell tells how far an ingest of added files has come. */
export const filesProgressChannel = "echotop:files.progress";
