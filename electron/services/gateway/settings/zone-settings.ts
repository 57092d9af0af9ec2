// What the control plane has set for each zone: durable, in force at the next request, and on record with who did it.

export interface FeatureSetting {
  readonly value: "on" | "off";
  /** ISO; null while it was never set. */
  readonly modifiedOn: string | null;
}

export interface ConfigRule {
  readonly id: string;
  /** "1" for a new one; counts the changes of what it says. */
  readonly version: string;
  /** Its id, unless whoever wrote it gave it another name. */
  readonly ref: string;
  readonly expression: string;
  readonly description: string;
  readonly enabled: boolean;
  /** The action is always `set_config`; this is its one parameter. */
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

/** Who changed something: the id of a platform token, or `viewer`. */
export type Actor = string;

/**
 * A rule as it is to be. One whose `id`, or else whose `ref`, is that of a rule already there is that rule: it keeps its id, and
 * its version too where it says the same. Ids that are not there are passed over. No two may be the same rule.
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
  /** What it was and what it became, JSON. */
  readonly before: string;
  readonly after: string;
}

/** Reads are from memory. Writes are durable once they return. @throws AppError `storage-failed` */
export interface ZoneSettings {
  readonly setting: (zoneId: string) => FeatureSetting;
  readonly setFeature: (zoneId: string, value: "on" | "off", actor: Actor) => FeatureSetting;
  /** The state before the first replacement has no rules. */
  readonly ruleset: (zoneId: string) => ConfigRuleset;
  /** @throws AppError `invalid-input` for two drafts of one rule */
  readonly replaceRules: (zoneId: string, rules: readonly ConfigRuleDraft[], actor: Actor) => ConfigRuleset;
  readonly metadata: (zoneId: string, hostnameId: string) => HostnameMetadata | undefined;
  /** Puts it in place of what was there. */
  readonly setMetadata: (
    zoneId: string,
    hostnameId: string,
    metadata: HostnameMetadata,
    actor: Actor,
  ) => HostnameMetadata;
  /** Newest first. */
  readonly audit: (zoneId: string, limit: number) => readonly AuditEntry[];
  /** Counts the writes, so that what was made of the settings can be kept until they change. */
  readonly revision: () => number;
  /** Idempotent. */
  readonly close: () => void;
}
