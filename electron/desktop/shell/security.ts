// Security rules for the session and for all web contents. Threat: a compromised page of ours, which comes from our
// loopback service with its content security policy. Refused: other origins, new windows, device permissions,
// embedded browsers and bad certificates.
import type { App, Session, WebContents } from "electron";
import { identity } from "../../../shared/identity.ts";
import type { Report } from "./application-options.ts";
import { isOwnOrigin, isRequestAllowed, judgeNavigation } from "./navigation.ts";
import type { SecureWebPreferences } from "./web-preferences.ts";

export interface SecurityOptions {
  readonly ownOrigin: string;
  readonly preferences: SecureWebPreferences;
  /** Opens an https address of the allow list, or a page of the gateway, in the system's browser. */
  readonly openExternally: (url: string) => void;
  /** Resolves with the origin of this host's gateway; undefined while it is off. Never rejects. */
  readonly findGatewayOrigin: () => Promise<string | undefined>;
  readonly report: Report;
}

/** Permissions of our own page: "Copy" writes to the clipboard, and a briefing fills the projector's screen. */
const ownPermissions: ReadonlySet<string> = new Set([
  "clipboard-sanitized-write",
  "fullscreen",
  "window-management",
]);

/** Refuses other permissions and requests to other origins. */
export function guardSession(session: Session, { ownOrigin, preferences, report }: SecurityOptions): void {
  const isGranted = (permission: string, origin: string): boolean =>
    ownPermissions.has(permission) && originOf(origin) === ownOrigin;
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) => {
    const granted = isGranted(permission, requestingUrl);
    if (!granted) report("A permission was refused.", { permission });
    answer(granted);
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => isGranted(permission, origin));
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((details, answer) => {
    const isAllowed = isRequestAllowed(details.url, ownOrigin, preferences.devTools);
    if (!isAllowed) report("A request to another origin was refused.", { origin: originOf(details.url) });
    answer({ cancel: !isAllowed });
  });
}

/** Guards all web contents of this process, windows included. */
export function guardApp(app: App, options: SecurityOptions): void {
  app.on("web-contents-created", (_event, contents) => {
    guardContents(contents, options);
  });
  app.on("certificate-error", (event, _contents, url, error, _certificate, answer) => {
    event.preventDefault();
    options.report("A certificate was refused.", { origin: originOf(url), error });
    answer(false);
  });
  app.on("select-client-certificate", (event, _contents, _url, _certificates, answer) => {
    event.preventDefault();
    answer();
  });
}

export function guardContents(contents: WebContents, options: SecurityOptions): void {
  const { ownOrigin, preferences, report } = options;
  const judge = (event: { preventDefault: () => void }, url: string): void => {
    if (judgeNavigation(url, ownOrigin) === "allow") return;
    event.preventDefault();
    leave(url, options);
  };
  contents.on("will-frame-navigate", (event) => {
    judge(event, event.url);
  });
  contents.on("will-redirect", (event) => {
    judge(event, event.url);
  });
  contents.on("will-attach-webview", (event) => {
    event.preventDefault();
    report("An embedded browser was refused.", {});
  });
  contents.setWindowOpenHandler(({ url }) => {
    if (judgeNavigation(url, ownOrigin) === "allow") {
      const { backgroundColor } = identity;
      return {
        action: "allow",
        overrideBrowserWindowOptions: { backgroundColor, webPreferences: { ...preferences } },
      };
    }
    void openPage(url, options);
    return { action: "deny" };
  });
}

/**
 * Opens a link that requests a window. A published briefing opens in the browser: it is ours, but not for this
 * window.
 */
async function openPage(url: string, options: SecurityOptions): Promise<void> {
  const gateway = await options.findGatewayOrigin();
  if (gateway !== undefined && isOwnOrigin(url, gateway)) options.openExternally(url);
  else leave(url, options);
}

function leave(url: string, { ownOrigin, openExternally, report }: SecurityOptions): void {
  if (judgeNavigation(url, ownOrigin) === "open-externally") openExternally(url);
  else report("A navigation to another origin was refused.", { origin: originOf(url) });
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "not a URL";
}
