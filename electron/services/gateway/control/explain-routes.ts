// Explains what a request would get, through the gateway and its origin.
import * as z from "zod";
import type { Gateway } from "../gateway.ts";
import { notFound, parseFields, text, type ZoneRouteDraft } from "./zone-route.ts";

const ExplainBody = z.object({
  url: z
    .url({ protocol: /^https?$/, error: "must be an address of http or https" })
    .max(4_096, "is too long"),
  user_agent: text(0, 1_024).default(""),
  address: z.union([z.ipv4(), z.ipv6()], "must be an IP address"),
  referer: text(0, 4_096).exactOptional(),
});

export function createExplainDrafts(explain: Gateway["explain"]): readonly ZoneRouteDraft[] {
  return [
    {
      method: "POST",
      path: "/explain",
      isQuestion: true,
      async handle({ zone, body }) {
        const { user_agent: userAgent, ...rest } = parseFields(ExplainBody, body);
        const { zoneId, ...explanation } = await explain({ userAgent, ...rest });
        if (zoneId !== zone.id) throw notFound("This address belongs to another zone.");
        return { result: { zone_id: zoneId, ...explanation } };
      },
    },
  ];
}
