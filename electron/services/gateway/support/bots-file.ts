// Bots files for tests: entries with defaults.

export interface BotEntry {
  readonly name: string;
  readonly operator: string;
  readonly category: string;
  readonly user_agents: readonly string[];
  readonly ranges: readonly string[];
  readonly dns_suffixes: readonly string[];
  readonly signature_agents: readonly unknown[];
}

export function bot(entry: Partial<BotEntry> & Pick<BotEntry, "name">): BotEntry {
  return {
    operator: `${entry.name} operator`,
    category: "AI Crawler",
    user_agents: [entry.name],
    ranges: [],
    dns_suffixes: [],
    signature_agents: [],
    ...entry,
  };
}

export function botsFile(bots: readonly BotEntry[], updatedAt = "2026-11-20T00:00:00Z"): string {
  return JSON.stringify({ schema_version: 1, updated_at: updatedAt, bots });
}
