// One numbered migration of a service's database.

export interface ServiceMigration {
  readonly version: number;
  readonly sql: string;
}
