// Desktop notifications: only while the window is in the background, never in front of an audience, and off if the
// person wants so.
import type { BrowserWindow, Notification } from "electron";
import type { NotificationInput } from "../../../shared/contract/desktop.ts";
import { focusWindow } from "./window.ts";

export interface NotificationsOptions {
  readonly Notification: (new (options: { title: string; body: string }) => Notification) & {
    readonly isSupported: () => boolean;
  };
  readonly findWindow: () => BrowserWindow | undefined;
  readonly isOn: () => boolean;
}

export interface Notifications {
  /** Returns true if it was shown. */
  readonly show: (input: NotificationInput) => boolean;
  /** Holds all notifications back while `on`. */
  readonly hold: (on: boolean) => void;
}

export function createNotifications({ Notification, findWindow, isOn }: NotificationsOptions): Notifications {
  let isHeld = false;
  return {
    show: (input) => {
      const window = findWindow();
      if (!isOn() || isHeld || window === undefined || window.isFocused()) return false;
      if (!Notification.isSupported()) return false;
      const notification = new Notification(input);
      notification.on("click", () => {
        const shown = findWindow();
        if (shown !== undefined) focusWindow(shown);
      });
      notification.show();
      return true;
    },
    hold: (on) => {
      isHeld = on;
    },
  };
}
