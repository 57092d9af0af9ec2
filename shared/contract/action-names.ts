// Names of the actions and of the desktop bridge's channels. Separate from the schemas, so that the preload script,
// which parses nothing, stays a few hundred bytes.

/** Actions on events, and on background tasks. */
const eventActionNames = [
  "events.known",
  "events.register",
  "events.registerKnown",
  "events.archive",
  "events.remove",
  "events.fetch",
  "events.replay",
  "tasks.list",
  "tasks.pause",
  "tasks.resume",
  "tasks.stop",
  "tasks.retry",
] as const;
export type EventActionName = (typeof eventActionNames)[number];

/** Actions that start and stop the live feed. */
const liveActionNames = ["live.read", "live.start", "live.stop"] as const;
export type LiveActionName = (typeof liveActionNames)[number];

/** Actions that exchange events as packs and host them for others. */
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

/** Actions on briefings: the pages of an event, and the steps of a talk. */
const briefingActionNames = ["briefings.list", "briefings.publish", "briefings.saveSteps"] as const;
export type BriefingActionName = (typeof briefingActionNames)[number];

/** Actions on the gateway in front of the pages. */
const gatewayActionNames = [
  "gateway.read",
  "gateway.switch",
  "gateway.setFeature",
  "gateway.report",
  "gateway.explain",
] as const;
export type GatewayActionName = (typeof gatewayActionNames)[number];

/** Actions on overlays: addresses and folders that the host reads, and files kept with an event. */
const overlayActionNames = [
  "overlays.list",
  "overlays.add",
  "overlays.change",
  "overlays.remove",
  "overlays.fetchPreset",
] as const;
export type OverlayActionName = (typeof overlayActionNames)[number];

/** Actions of every host, through the desktop bridge or `POST /app/ACTION`. */
export const hostActionNames = [
  ...eventActionNames,
  ...liveActionNames,
  ...packActionNames,
  ...briefingActionNames,
  ...gatewayActionNames,
  ...overlayActionNames,
] as const;
export type HostActionName = (typeof hostActionNames)[number];

/** Actions that only the desktop has: the system's dialogs, opened files and links, updates, notifications. */
export const desktopActionNames = [
  "app.info",
  "files.add",
  "opened.take",
  "updates.read",
  "updates.install",
  "notifications.show",
  "notifications.hold",
] as const;
export type DesktopActionName = (typeof desktopActionNames)[number];

export type ActionName = HostActionName | DesktopActionName;
export const actionNames: readonly ActionName[] = [...desktopActionNames, ...hostActionNames];

/** Path of the actions in a browser: `POST /app/ACTION`. */
export const actionPathPrefix = "/app/";

/** Path of the feeds' health: `GET`. */
export const feedsPath = "/app/feeds";

/** Name of the bridge on `window`. */
export const desktopBridgeKey = "echotop";

/** Returns the IPC channel of an action. */
export function channelOf(action: ActionName): `echotop:${ActionName}` {
  return `echotop:${action}`;
}

/** IPC channel of the progress of added files. */
export const filesProgressChannel = "echotop:files.progress";

/** IPC channel of news: the message says what to read again. */
export const desktopNewsChannel = "echotop:news";
