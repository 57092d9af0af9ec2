// The scalar `Time`: an instant as text. Taken with any offset; given in UTC.
import { GraphQLError, GraphQLScalarType } from "graphql";
import * as z from "zod";

const Instant = z.iso.datetime({ offset: true });

/** Milliseconds since 1970 inside, for what comes in; texts are given out as they are. */
export const Time = new GraphQLScalarType<number, string>({
  name: "Time",
  description: "An instant, as 2026-11-20T12:00:00Z.",
  coerceInputValue(value) {
    const parsed = Instant.safeParse(value);
    if (!parsed.success) throw new GraphQLError("A Time is a text as 2026-11-20T12:00:00Z.");
    return Date.parse(parsed.data);
  },
  coerceOutputValue: String,
});
