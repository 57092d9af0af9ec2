// The messages between the stand-in for Electron and the test.

export type FromMain =
  | { readonly kind: "called"; readonly what: string }
  | { readonly kind: "window"; readonly options: unknown }
  | { readonly kind: "loaded"; readonly url: string }
  | { readonly kind: "error-box"; readonly title: string; readonly detail: string }
  | { readonly kind: "sent"; readonly channel: string; readonly message: unknown }
  | { readonly kind: "answered"; readonly channel: string; readonly outcome: unknown };

export type ToMain =
  | { readonly kind: "invoke"; readonly channel: string; readonly origin: string; readonly input: unknown }
  | { readonly kind: "second-instance" }
  | { readonly kind: "close-window" };
