/** Returns milliseconds of the machine's monotonic clock, which all processes share. */
export function clockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
