// The followed service's list of events, as it was last read.
import type { StormEvent } from "../../../shared/contract/storm-event.ts";
import { toEvents } from "./listings.ts";
import type { MirrorLog } from "./mirror-log.ts";
import type { RemoteService } from "./remote-service.ts";

export interface EventDirectory {
  /**
   * Reads the list; whoever asks before the request is sent shares it. By event id, in the list's order.
   * @throws MirrorFault
   */
  read(): Promise<ReadonlyMap<string, StormEvent>>;
}

export function createEventDirectory(
  remote: RemoteService,
  log: Pick<MirrorLog, "complain">,
): EventDirectory {
  let etag: string | undefined;
  let rows: ReadonlyMap<string, StormEvent> = new Map();
  let starting: Promise<ReadonlyMap<string, StormEvent>> | undefined;

  const start = async (): Promise<ReadonlyMap<string, StormEvent>> => {
    await Promise.resolve();
    starting = undefined;
    const answer = await remote.listEvents(etag);
    if (!answer) return rows;
    const entries = toEvents(answer.value);
    for (const { problem: message } of entries) {
      if (message !== undefined) log.complain({ eventId: "", kind: "refused", message });
    }
    rows = new Map(entries.flatMap(({ value }) => (value ? [[value.id, value]] : [])));
    etag = answer.etag;
    return rows;
  };
  return { read: () => (starting ??= start()) };
}
