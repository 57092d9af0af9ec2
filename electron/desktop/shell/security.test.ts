import { EventEmitter } from "node:events";
import type { App, Session } from "electron";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { guardApp, guardSession, type SecurityOptions } from "./security.ts";
import { toWebPreferences } from "./web-preferences.ts";

const ownOrigin = "http://127.0.0.1:47800";

let openExternally: ReturnType<typeof vi.fn<(url: string) => void>>;
let options: SecurityOptions;
let gatewayOrigin: string | undefined;
beforeEach(() => {
  openExternally = vi.fn<(url: string) => void>();
  gatewayOrigin = undefined;
  options = {
    ownOrigin,
    preferences: toWebPreferences(true),
    openExternally,
    findGatewayOrigin: () => Promise.resolve(gatewayOrigin),
    report: vi.fn(),
  };
});

/** A fake of Electron's session that records its handlers. */
function recordSession() {
  const kept: Record<string, (...args: unknown[]) => unknown> = {};
  const keep = (name: string) => (handler: (...args: unknown[]) => unknown) => {
    kept[name] = handler;
  };
  const session = {
    setPermissionRequestHandler: keep("request"),
    setPermissionCheckHandler: keep("check"),
    setDevicePermissionHandler: keep("device"),
    webRequest: { onBeforeRequest: keep("before") },
  };
  guardSession(session as unknown as Session, options);
  return kept;
}

/** A fake web contents, created in a guarded application. */
function createContents() {
  const app = new EventEmitter();
  guardApp(app as unknown as App, options);
  let onWindow: ((details: { url: string }) => unknown) | undefined;
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (handler: (details: { url: string }) => unknown) => {
      onWindow = handler;
    },
  });
  app.emit("web-contents-created", {}, contents);
  const isStopped = (event: string, url: string): boolean => {
    const preventDefault = vi.fn();
    contents.emit(event, { url, preventDefault });
    return preventDefault.mock.calls.length > 0;
  };
  return { app, isStopped, openWindow: (url: string) => onWindow?.({ url }) };
}

describe("the session", () => {
  test.each(["geolocation", "media", "notifications", "clipboard-read", "openExternal", "a new one"])(
    "grants no permission: %s",
    (permission) => {
      const { request, check } = recordSession();
      const answer = vi.fn();
      request?.(undefined, permission, answer, { requestingUrl: `${ownOrigin}/` });
      expect(answer).toHaveBeenCalledExactlyOnceWith(false);
      expect(check?.(undefined, permission, ownOrigin)).toBe(false);
    },
  );

  test.each(["clipboard-sanitized-write", "fullscreen", "window-management"])(
    "grants %s to our page only",
    (own) => {
      const { request, check } = recordSession();
      const answer = vi.fn();
      request?.(undefined, own, answer, { requestingUrl: `${ownOrigin}/` });
      request?.(undefined, own, answer, { requestingUrl: "https://example.com/" });
      expect(answer.mock.calls).toEqual([[true], [false]]);
      expect(check?.(undefined, own, ownOrigin)).toBe(true);
      expect(check?.(undefined, own, "https://example.com")).toBe(false);
      expect(check?.(undefined, own, "")).toBe(false);
    },
  );

  test("grants no device", () => {
    expect(recordSession().device?.({ deviceType: "usb" })).toBe(false);
  });

  test("cancels only requests to other origins", () => {
    const { before } = recordSession();
    const answer = vi.fn();
    before?.({ url: "https://example.com/x" }, answer);
    before?.({ url: `${ownOrigin}/v1/data/status` }, answer);
    expect(answer.mock.calls).toEqual([[{ cancel: true }], [{ cancel: false }]]);
  });
});

describe.each(["will-frame-navigate", "will-redirect"])("%s", (event) => {
  test("is allowed within our origin", () => {
    const { isStopped } = createContents();
    expect(isStopped(event, `${ownOrigin}/x`)).toBe(false);
    expect(openExternally).not.toHaveBeenCalled();
  });

  test("is stopped elsewhere; a listed https link opens in the system's browser", () => {
    const { isStopped } = createContents();
    expect(isStopped(event, "https://example.com/")).toBe(true);
    expect(openExternally).not.toHaveBeenCalled();
    expect(isStopped(event, "https://www.weather.gov/")).toBe(true);
    expect(openExternally).toHaveBeenCalledExactlyOnceWith("https://www.weather.gov/");
  });
});

describe("all web contents", () => {
  test("may open only our origin in a window, with the same preferences", async () => {
    const { openWindow } = createContents();
    for (const path of ["/v1/openapi.json", "/presenter.html#show-1"]) {
      expect(openWindow(ownOrigin + path)).toMatchObject({
        action: "allow",
        overrideBrowserWindowOptions: {
          backgroundColor: "#0a0e13",
          webPreferences: { sandbox: true, contextIsolation: true },
        },
      });
    }
    expect(openWindow("https://example.com/")).toEqual({ action: "deny" });
    expect(openWindow("https://www.noaa.gov/")).toEqual({ action: "deny" });
    await vi.waitFor(() => {
      expect(openExternally).toHaveBeenCalledExactlyOnceWith("https://www.noaa.gov/");
    });
  });

  test("may open a page of the gateway only in the system's browser", async () => {
    const { openWindow, isStopped } = createContents();
    const page = "http://127.0.0.1:47802/plains/";
    expect(openWindow(page)).toEqual({ action: "deny" });
    await vi.waitFor(() => {
      expect(options.report).toHaveBeenCalledOnce();
    });
    gatewayOrigin = "http://127.0.0.1:47802";
    expect(openWindow(page)).toEqual({ action: "deny" });
    expect(openWindow("http://127.0.0.1:47803/plains/")).toEqual({ action: "deny" });
    await vi.waitFor(() => {
      expect(options.report).toHaveBeenCalledTimes(2);
    });
    expect(isStopped("will-frame-navigate", page)).toBe(true);
    expect(openExternally).toHaveBeenCalledExactlyOnceWith(page);
  });

  test("may not embed a browser", () => {
    expect(createContents().isStopped("will-attach-webview", "about:blank")).toBe(true);
  });

  test("accept no bad certificate and send no client certificate", () => {
    const { app } = createContents();
    const preventDefault = vi.fn();
    const answer = vi.fn();
    app.emit("certificate-error", { preventDefault }, {}, "https://x.example/", "net::ERR", {}, answer);
    expect(answer).toHaveBeenLastCalledWith(false);
    app.emit("select-client-certificate", { preventDefault }, {}, "https://x.example/", [{}], answer);
    expect(answer).toHaveBeenLastCalledWith();
    expect(preventDefault).toHaveBeenCalledTimes(2);
  });
});
