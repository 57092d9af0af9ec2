// Columns of each kind of row. They are named one by one, because a migration may add some while this program runs.
const list = (names: string): readonly string[] => names.trim().split(/\s+/);

const bounds = "west south east north";

const eventNames =
  list(`id kind label origin status started_at ended_at ${bounds} current_revision_id last_sequence
  last_published_at updated_at registered_started_at registered_ended_at mirror_of replay_of_event replay_of_sequence
  pruned_sequence`);

export const eventColumns = eventNames.join(", ");
/** Assignments that replace an event by the one that was to be inserted. */
export const eventReplacement = ["version", ...eventNames.slice(1)]
  .map((name) => `${name} = excluded.${name}`)
  .join(", ");

export const noticeColumns = list(`event_id sequence revision_id observed_at published_at ${bounds}`).join(
  ", ",
);
export const revisionColumns = `id, ${noticeColumns}, observation_window, manifest, manifest_sha256`;

export const layerColumns = list(`product_id observed_at frame_id ${bounds} message_sha256 source_url
  source_last_modified source_sha256`).join(", ");

export const assetColumns =
  list(`id event_id locator product_id observed_at byte_length sha256 last_modified_at etag
  status completed_at error_message`).join(", ");

export const logColumns =
  list(`at source event_id kind product_id observed_at locator byte_length delay_ms duration_ms
  revision_id sequence change message`).join(", ");

/** Returns `$1, $2, …`, or starting after `before` parameters. */
export function parameters(count: number, before = 0): string {
  return Array.from({ length: count }, (_, at) => `$${before + at + 1}`).join(", ");
}
