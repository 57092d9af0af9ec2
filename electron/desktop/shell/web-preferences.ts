// The web preferences of every window. Most are Electron's defaults, written out because defaults may change.

export type SecureWebPreferences = ReturnType<typeof toWebPreferences>;

/** Developer tools exist only in a checkout, not in a packaged application. */
export function toWebPreferences(isPackaged: boolean) {
  return {
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    devTools: !isPackaged,
  } as const;
}
