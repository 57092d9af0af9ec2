// Routes that create, list and revoke tokens of repositories.
import * as z from "zod";
import { digits, oneOf } from "../../api/api-input.ts";
import { ArtifactsError } from "../artifacts-error.ts";
import { amount, parseFields, parseQuery, text } from "../hosting-input.ts";
import { defaultTokensPerPage, maxTokenPage, maxTokensPerPage } from "../hosting-limits.ts";
import { repositoryScopes, tokenStates } from "../hosting-records.ts";
import type { Repositories } from "../repositories.ts";
import type { HostingRoute } from "./hosting-route.ts";

const ListParameters = z.object({
  state: oneOf([...tokenStates, "all"]).default("active"),
  per_page: digits(1, maxTokensPerPage).default(defaultTokensPerPage),
  page: digits(1, maxTokenPage).default(1),
});

const CreateBody = z.object({
  repo: text,
  scope: oneOf(repositoryScopes).default("write"),
  ttl: amount.optional(),
});

const idPattern = /^[0-9a-z]{16}$/;

export function createTokenRoutes(repositories: Repositories): readonly HostingRoute[] {
  return [
    {
      method: "GET",
      path: "/:namespace/repos/:name/tokens",
      async handle({ namespace, name, query }) {
        const { state, per_page: perPage, page } = parseQuery(ListParameters, query);
        const { tokens, total } = await repositories.listTokens(namespace, name, { state, perPage, page });
        return {
          result: tokens.map(({ createdAt, expiresAt, ...token }) => ({
            ...token,
            created_at: createdAt,
            expires_at: expiresAt,
          })),
          resultInfo: {
            page,
            per_page: perPage,
            total_pages: Math.ceil(total / perPage),
            count: tokens.length,
            total_count: total,
          },
        };
      },
    },
    {
      method: "POST",
      path: "/:namespace/tokens",
      async handle({ namespace, body }) {
        const { repo, ...draft } = parseFields(CreateBody, body);
        const { expiresAt, ...token } = await repositories.createToken(namespace, repo, draft);
        return { status: 201, result: { ...token, expires_at: expiresAt } };
      },
    },
    {
      method: "DELETE",
      path: "/:namespace/tokens/:name",
      async handle({ namespace, name: id }) {
        // Refuses a token in place of its id, though hosting could find it: proxies log paths.
        if (!idPattern.test(id) || !(await repositories.revokeToken(namespace, id))) {
          throw new ArtifactsError("NOT_FOUND", "No token of this id can be revoked.");
        }
        return { result: { id } };
      },
    },
  ];
}
