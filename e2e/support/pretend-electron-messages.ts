// The messages between the stand-in for Electron and the test.

export type FromMain =
  | { readonly kind: "called"; readonly what: string }
  | { readonly kind: "window"; readonly options: unknown }
  | { readonly kind: "loaded"; readonly url: string }
  | { readonly kind: "error-box"; readonly title: string; readonly detail: string }
  | { readonly kind: "message-box"; readonly message: string }
  | { readonly kind: "notification"; readonly title: string; readonly body: string }
  | { readonly kind: "clipboard"; readonly text: string }
  | { readonly kind: "sent"; readonly channel: string; readonly message: unknown }
  | { readonly kind: "answered"; readonly channel: string; readonly outcome: unknown };

export type ToMain =
  | { readonly kind: "invoke"; readonly channel: string; readonly origin: string; readonly input: unknown }
  /** A second start: as Chromium reports it, and as it was. */
  | { readonly kind: "second-instance"; readonly args?: readonly string[] }
  | { readonly kind: "open-url"; readonly url: string }
  | { readonly kind: "open-file"; readonly path: string }
  /** Presses an entry of the application menu. */
  | { readonly kind: "menu"; readonly label: string }
  | { readonly kind: "blur-window" }
  | { readonly kind: "close-window" };
