/** Milliseconds of the machine's steady clock, which all of its processes share. */
export function clockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
