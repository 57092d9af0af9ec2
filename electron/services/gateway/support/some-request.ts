// A request as expressions see it, for tests.
import type { RequestFields } from "../rules/request-fields.ts";

export function someRequest(more: Partial<RequestFields> = {}): RequestFields {
  return {
    host: "brief.example",
    path: "/",
    query: "",
    method: "GET",
    userAgent: "",
    referer: "",
    address: "203.0.113.7",
    isTls: true,
    hostnameMetadata: "",
    verifiedBotCategory: "",
    isVerifiedBot: false,
    ...more,
  };
}
