// A WebSocket as the event stream wants it: one report of its end, whatever ended it, and none after it is closed.
import type { Socket, SocketHandlers } from "../api/event-stream.ts";

/** `url` is whole and of the scheme `ws` or `wss`. */
export function openSocket(url: URL, handlers: SocketHandlers): Socket {
  const socket = new WebSocket(url);
  const ended = new AbortController();
  const { signal } = ended;
  const end = (): void => {
    ended.abort();
    handlers.onEnd();
  };
  socket.addEventListener("open", handlers.onOpen, { signal });
  socket.addEventListener(
    "message",
    (event) => {
      handlers.onMessage(event.data);
    },
    { signal },
  );
  socket.addEventListener("close", end, { signal });
  socket.addEventListener("error", end, { signal });
  return {
    send: (text) => {
      socket.send(text);
    },
    close: () => {
      ended.abort();
      socket.close();
    },
  };
}
