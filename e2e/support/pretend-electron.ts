// A stand-in for the `electron` module, so that the bundled main process runs in plain Node. It records calls and
// reports them to the test; unlike Electron, it shows nothing and enforces no security.
import { EventEmitter } from "node:events";
import type { FromMain, ToMain } from "./pretend-electron-messages.ts";

type Handler = (event: unknown, input: unknown) => Promise<unknown>;

const { ECHOTOP_TEST_CHOSEN: chosen = "[]", ECHOTOP_TEST_LOCK: lock = "free" } = process.env;
/** The button that a person presses in a message box. */
const pressedButton = Number(process.env.ECHOTOP_TEST_BUTTON ?? 0);
const { ECHOTOP_TEST_RESOURCES: resources, ECHOTOP_TEST_VERSION: version = "0.0.0-test" } = process.env;
// Only a packaged application has this path.
if (resources !== undefined) {
  Object.assign(process, { resourcesPath: resources });
  // Nor has its command line the bundle and its folder.
  process.argv.splice(1, 2);
}
const handlers = new Map<string, Handler>();
const windows: BrowserWindow[] = [];
let isQuitting = false;
let isFocused = true;
interface Entry {
  readonly label?: string;
  readonly click?: () => void;
  readonly submenu?: readonly Entry[];
}
let menu: readonly Entry[] = [];

function tell(message: FromMain): void {
  process.send?.(message);
}

function stoppable(): { defaultPrevented: boolean; preventDefault: () => void } {
  const event = {
    defaultPrevented: false,
    preventDefault: () => {
      event.defaultPrevented = true;
    },
  };
  return event;
}

/** Quits in Electron's order: every window closes, then a `will-quit` listener may delay the exit. */
function quit(): void {
  if (isQuitting) return;
  isQuitting = true;
  for (const window of [...windows]) window.close();
  const event = stoppable();
  app.emit("will-quit", event);
  if (!event.defaultPrevented) app.exit(0);
}

export const app = Object.assign(new EventEmitter(), {
  isPackaged: resources !== undefined,
  enableSandbox: () => {
    tell({ kind: "called", what: "app.enableSandbox" });
  },
  commandLine: {
    appendSwitch: (name: string) => {
      tell({ kind: "called", what: `app.commandLine.appendSwitch ${name}` });
    },
  },
  setAppUserModelId: () => undefined,
  setPath: (name: string, path: string) => {
    tell({ kind: "called", what: `app.setPath ${name} ${path}` });
  },
  requestSingleInstanceLock: () => lock === "free",
  whenReady: () => Promise.resolve(),
  getVersion: () => version,
  getGPUFeatureStatus: () => ({ webgl: "enabled", rasterization: "disabled_software" }),
  setAsDefaultProtocolClient: (protocol: string, _path: string, args: readonly string[]) => {
    tell({ kind: "called", what: `app.setAsDefaultProtocolClient ${protocol} ${args.join(" ")}` });
  },
  setAboutPanelOptions: () => undefined,
  quit,
  exit: (status: number) => {
    process.disconnect();
    process.exit(status);
  },
});

class WebContents extends EventEmitter {
  readonly id = 7;
  setWindowOpenHandler(): void {
    tell({ kind: "called", what: "webContents.setWindowOpenHandler" });
  }
  send(channel: string, message: unknown): void {
    tell({ kind: "sent", channel, message });
  }
}

export class BrowserWindow extends EventEmitter {
  readonly webContents = new WebContents();
  constructor(options: unknown) {
    super();
    windows.push(this);
    tell({ kind: "window", options });
    app.emit("web-contents-created", {}, this.webContents);
  }
  async loadURL(url: string): Promise<void> {
    await Promise.resolve();
    tell({ kind: "loaded", url });
    this.emit("ready-to-show");
  }
  show(): void {
    tell({ kind: "called", what: "window.show" });
  }
  focus(): void {
    tell({ kind: "called", what: "window.focus" });
  }
  close(): void {
    this.emit("close");
    windows.splice(windows.indexOf(this), 1);
    this.emit("closed");
    if (windows.length === 0 && !isQuitting) app.emit("window-all-closed");
  }
  setProgressBar(): void {
    // No taskbar to update.
  }
  getNormalBounds = () => ({ x: 10, y: 20, width: 1000, height: 700 });
  isMaximized = () => false;
  isMinimized = () => false;
  isVisible = () => true;
  isFocused = () => isFocused;
  isDestroyed = () => false;
}

export const dialog = {
  showErrorBox: (title: string, detail: string) => {
    tell({ kind: "error-box", title, detail });
  },
  showOpenDialog: () => {
    const filePaths = JSON.parse(chosen) as string[];
    return Promise.resolve({ canceled: filePaths.length === 0, filePaths });
  },
  showMessageBox: (_window: unknown, { message }: { message: string }) => {
    tell({ kind: "message-box", message });
    return Promise.resolve({ response: pressedButton });
  },
};

export const ipcMain = {
  handle: (channel: string, handler: Handler) => {
    handlers.set(channel, handler);
  },
};

export const Menu = {
  buildFromTemplate: (template: unknown) => template,
  setApplicationMenu: (template: readonly Entry[]) => {
    menu = template;
    tell({ kind: "called", what: "Menu.setApplicationMenu" });
  },
};

export class Notification extends EventEmitter {
  static readonly isSupported = () => true;
  readonly #options: { readonly title: string; readonly body: string };
  constructor(options: { readonly title: string; readonly body: string }) {
    super();
    this.#options = options;
  }
  show(): void {
    tell({ kind: "notification", ...this.#options });
  }
}

export const clipboard = {
  writeText: (text: string): Promise<void> => {
    tell({ kind: "clipboard", text });
    return Promise.resolve();
  },
};

export const nativeTheme = { themeSource: "system" };

const workArea = { x: 0, y: 0, width: 1920, height: 1080 };
export const screen = {
  getPrimaryDisplay: () => ({ id: 1, workArea }),
  getAllDisplays: () => [{ id: 1, workArea }],
};

const guarded = (name: string) => () => {
  tell({ kind: "called", what: `session.${name}` });
};
export const session = {
  fromPartition: () => ({ fetch: globalThis.fetch }),
  defaultSession: {
    setPermissionRequestHandler: guarded("setPermissionRequestHandler"),
    setPermissionCheckHandler: guarded("setPermissionCheckHandler"),
    setDevicePermissionHandler: guarded("setDevicePermissionHandler"),
    webRequest: { onBeforeRequest: guarded("webRequest.onBeforeRequest") },
  },
};

export const shell = {
  openExternal: () => Promise.resolve(),
  openPath: (path: string) => {
    tell({ kind: "called", what: `shell.openPath ${path}` });
    return Promise.resolve("");
  },
  showItemInFolder: () => undefined,
};

function findEntry(entries: readonly Entry[], label: string): Entry | undefined {
  for (const entry of entries) {
    const found = entry.label === label ? entry : findEntry(entry.submenu ?? [], label);
    if (found) return found;
  }
  return undefined;
}

/** Carries out a request of the test, as the system, a person or the page would cause it. */
async function obey(message: ToMain): Promise<void> {
  switch (message.kind) {
    case "second-instance": {
      const { args = [] } = message;
      // Chromium adds switches of its own, and puts files and links behind them.
      const reordered = ["--original-process-start-time=1", ...args];
      app.emit("second-instance", {}, reordered, "/", { args, workingDirectory: process.cwd() });
      return;
    }
    case "open-url":
      app.emit("open-url", stoppable(), message.url);
      return;
    case "open-file":
      app.emit("open-file", stoppable(), message.path);
      return;
    case "menu": {
      const click = findEntry(menu, message.label)?.click;
      if (!click) throw new Error(`The menu has no entry ${message.label}.`);
      click();
      return;
    }
    case "blur-window":
      isFocused = false;
      return;
    case "close-window":
      windows[0]?.close();
      return;
    case "invoke": {
      const { channel, origin, input } = message;
      const event = { senderFrame: { origin, parent: null }, sender: { id: 7 } };
      tell({ kind: "answered", channel, outcome: await handlers.get(channel)?.(event, input) });
    }
  }
}

process.on("message", (message: ToMain) => {
  void obey(message);
});
