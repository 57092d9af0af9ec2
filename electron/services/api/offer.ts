// What one listener offers at a time: an application with the routes of some parts, and the doors of their raw streams. It is
// replaced as a whole when parts come and go; requests that it began end with it.
import type { RequestListener } from "node:http";
import type { ApiPart } from "./api-part.ts";
import { createApiApp, type ApiAppOptions } from "./api-app.ts";

export type RawDoor = NonNullable<ApiPart["raw"]>;

export interface Offer {
  readonly listener: RequestListener;
  readonly findDoor: (path: string) => RawDoor | undefined;
  /** Rejects for parts that cannot be offered together. */
  readonly ready: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export function createOffer(options: ApiAppOptions): Offer {
  const app = createApiApp(options);
  const doors = options.parts.flatMap((part) => toDoors(part, options));
  return {
    listener: (request, response) => {
      app.routing(request, response);
    },
    findDoor: (path) => doors.find(({ prefix }) => path.startsWith(prefix)),
    ready: async () => {
      await app.ready();
    },
    close: () => app.close(),
  };
}

function toDoors(part: ApiPart, { onAdmitted }: ApiAppOptions): RawDoor[] {
  if (part.raw === undefined) return [];
  const { prefix, handle } = part.raw;
  const admit: RawDoor["handle"] = (request, response, origin) => {
    onAdmitted(part, response);
    handle(request, response, origin);
  };
  return [{ prefix, handle: admit }];
}
