// Counts the work of the storm service for metrics.

export interface StormMeter {
  /** A request was answered. `operation` is one of a fixed set of names: of the contract's operations, and a few more. */
  readonly answered: (operation: string, status: number, durationMs: number) => void;
  /** A notice was sent to this many streams. */
  readonly notified: (streams: number) => void;
}
