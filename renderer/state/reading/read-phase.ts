/**
 * State of a list that is read from the service: `loading` until the first answer; `failed` retains the previous
 * answer.
 */
export type ReadPhase = "loading" | "ready" | "failed";
