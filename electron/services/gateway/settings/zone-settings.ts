// Settings of each zone from the control plane: durable, in effect at the next request, and in the audit trail.

export interface FeatureSetting {
  readonly value: "on" | "off";
  /** ISO; null if it was never set. */
  readonly modifiedOn: string | null;
}

export interface ConfigRule {
  readonly id: string;
  /** "1" for a new rule; counts its changes. */
  readonly version: string;
  /** Its id, unless the author gave it another name. */
  readonly ref: string;
  readonly expression: string;
  readonly description: string;
  readonly enabled: boolean;
  /** The one parameter of the action `set_config`. */
  readonly redirectsForAiTraining: boolean;
  readonly lastUpdated: string;
}

export interface ConfigRuleset {
  readonly id: string;
  /** Counts the replacements; "0" before the first. */
  readonly version: string;
  /** Null before the first replacement. */
  readonly lastUpdated: string | null;
  readonly rules: readonly ConfigRule[];
}

/** The author of a change: the id of a platform token, or `viewer`. */
export type Actor = string;

/**
 * A rule to be stored. If its `id`, or else its `ref`, belongs to a stored rule, it is that rule: it keeps the id,
 * and the version if nothing changes. Unknown ids are ignored. No two drafts may be the same rule.
 */
export type ConfigRuleDraft = Pick<
  ConfigRule,
  "expression" | "description" | "enabled" | "redirectsForAiTraining"
> & { readonly id?: string | undefined; readonly ref?: string | undefined };

export type HostnameMetadata = Readonly<Record<string, string>>;

export interface AuditEntry {
  readonly at: string;
  readonly zoneId: string;
  readonly actor: Actor;
  readonly action: "setting" | "rules" | "metadata";
  /** JSON before and after the change. */
  readonly before: string;
  readonly after: string;
}

/**
 * Reads are from memory, and see the changes of this process at once. A change is durable when it resolves; changes of
 * one zone follow each other, also those of several processes.
 * @throws AppError `storage-failed`; `storage-unavailable` while the database of a service cannot be reached
 */
export interface ZoneSettings {
  readonly setting: (zoneId: string) => FeatureSetting;
  readonly setFeature: (zoneId: string, value: "on" | "off", actor: Actor) => Promise<FeatureSetting>;
  /** Has no rules before the first replacement. */
  readonly ruleset: (zoneId: string) => ConfigRuleset;
  /** @throws AppError `invalid-input` for two drafts of one rule */
  readonly replaceRules: (
    zoneId: string,
    rules: readonly ConfigRuleDraft[],
    actor: Actor,
  ) => Promise<ConfigRuleset>;
  readonly metadata: (zoneId: string, hostnameId: string) => HostnameMetadata | undefined;
  /** Replaces the metadata. */
  readonly setMetadata: (
    zoneId: string,
    hostnameId: string,
    metadata: HostnameMetadata,
    actor: Actor,
  ) => Promise<HostnameMetadata>;
  /** Newest first. */
  readonly audit: (zoneId: string, limit: number) => Promise<readonly AuditEntry[]>;
  /** Counts the changes; what was computed from the settings is valid until it changes. */
  readonly revision: () => number;
  /** Reads the changes of other processes; they arrive by themselves too, within a second or two. */
  readonly refresh: () => Promise<void>;
  /** Returns false while changes of other processes cannot be read. */
  readonly isCurrent: () => boolean;
  /** Idempotent. */
  readonly close: () => Promise<void>;
}
