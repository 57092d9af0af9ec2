// Routes that give, list and revoke repo-scoped tokens.
import * as z from "zod";
import { digits, oneOf } from "../../api/api-input.ts";
import { ArtifactsError } from "../artifacts-error.ts";
import { amount, parseFields, parseQuery, text } from "../hosting-input.ts";
import { repositoryScopes } from "../hosting-records.ts";
import type { Repositories } from "../repositories.ts";
import type { RouteDraft } from "./route.ts";
import { toTokenWire } from "./repository-wire.ts";

const ListParameters = z.object({
  state: oneOf(["active", "expired", "revoked", "all"]).default("active"),
  per_page: digits(1, 100).default(30),
  page: digits(1, 1_000_000).default(1),
});

const CreateBody = z.object({
  repo: text,
  scope: oneOf(repositoryScopes).default("write"),
  ttl: amount.optional(),
});

const idPattern = /^[0-9a-z]{16}$/;

export function createTokenDrafts(repositories: Repositories): readonly RouteDraft[] {
  return [listRoute(repositories), createRoute(repositories), revokeRoute(repositories)];
}

function listRoute(repositories: Repositories): RouteDraft {
  return {
    method: "GET",
    path: "/:namespace/repos/:name/tokens",
    async handle({ namespace, name, query }) {
      const { state, per_page, page } = parseQuery(ListParameters, query);
      const { tokens, total } = await repositories.listTokens(namespace, name, {
        state,
        perPage: per_page,
        page,
      });
      return {
        result: tokens.map(toTokenWire),
        resultInfo: {
          page,
          per_page,
          total_pages: Math.ceil(total / per_page),
          count: tokens.length,
          total_count: total,
        },
      };
    },
  };
}

function createRoute(repositories: Repositories): RouteDraft {
  return {
    method: "POST",
    path: "/:namespace/tokens",
    async handle({ namespace, body }) {
      const { repo, scope, ttl } = parseFields(CreateBody, body);
      const token = await repositories.createToken(namespace, repo, { scope, ttl });
      return {
        status: 201,
        result: {
          id: token.id,
          plaintext: token.plaintext,
          scope: token.scope,
          expires_at: token.expiresAt,
        },
      };
    },
  };
}

function revokeRoute(repositories: Repositories): RouteDraft {
  return {
    method: "DELETE",
    path: "/:namespace/tokens/:name",
    async handle({ namespace, name: id }) {
      // A token itself is no id, though hosting would know it: paths end up in the logs of proxies.
      if (!idPattern.test(id) || !(await repositories.revokeToken(namespace, id))) {
        throw new ArtifactsError("NOT_FOUND", "There is no token of this id that could be revoked.");
      }
      return { result: { id } };
    },
  };
}
