// Names of the actions and of the desktop bridge's channels. They stand apart from the schemas so that the preload
// script, which parses nothing, stays a few hundred bytes.

/** What is done with events, and the tasks that go on by themselves. */
const eventActionNames = [
  "events.known",
  "events.register",
  "events.registerKnown",
  "events.archive",
  "events.fetch",
  "events.replay",
  "tasks.list",
  "tasks.pause",
  "tasks.resume",
  "tasks.stop",
] as const;
export type EventActionName = (typeof eventActionNames)[number];

/** Handing events on as packs, and hosting them for others. */
export const packActionNames = [
  "packs.list",
  "packs.versions",
  "packs.compare",
  "packs.share",
  "packs.unshare",
  "packs.invite",
  "packs.get",
  "packs.getAgain",
  "packs.forgetToken",
  "packs.push",
  "packs.export",
  "hosting.switch",
  "lan.switch",
] as const;
export type PackActionName = (typeof packActionNames)[number];

/** Publishing events as pages. */
const briefingActionNames = ["briefings.list", "briefings.publish"] as const;
export type BriefingActionName = (typeof briefingActionNames)[number];

/** The gateway in front of the pages. */
const gatewayActionNames = [
  "gateway.read",
  "gateway.switch",
  "gateway.setFeature",
  "gateway.report",
  "gateway.explain",
] as const;
export type GatewayActionName = (typeof gatewayActionNames)[number];

/** What any host can do; carried by the desktop bridge and by `POST /app/ACTION`. */
export const hostActionNames = [
  ...eventActionNames,
  ...packActionNames,
  ...briefingActionNames,
  ...gatewayActionNames,
] as const;
export type HostActionName = (typeof hostActionNames)[number];

/** What needs the desktop around the window: the system's dialogs, and what the application is. */
export const desktopActionNames = ["app.info", "files.add"] as const;
export type DesktopActionName = (typeof desktopActionNames)[number];

export type ActionName = HostActionName | DesktopActionName;
export const actionNames: readonly ActionName[] = [...desktopActionNames, ...hostActionNames];

/** Where a browser finds the actions: `POST /app/ACTION`. */
export const actionPathPrefix = "/app/";

/** Where any client reads how the feeds are: `GET`. */
export const feedsPath = "/app/feeds";

/** The name under which the preload script puts the bridge on `window`. */
export const desktopBridgeKey = "echotop";

/** The IPC channel that carries one action's calls. */
export function channelOf(action: ActionName): `echotop:${ActionName}` {
  return `echotop:${action}`;
}

/** The IPC channel on which the shell tells how far an ingest of added files has come. */
export const filesProgressChannel = "echotop:files.progress";
