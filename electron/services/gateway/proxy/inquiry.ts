// One request as all decisions see it: the fields of rules, the properties of crawlers, and the verdict on the
// visitor, which is found out once and only if somebody needs it.
import type { IncomingHttpHeaders } from "node:http";
import { pathOf } from "../../http/routes.ts";
import type { CrawlerVerdict, CrawlerVerifier, Visitor } from "../crawlers/crawler-verdict.ts";
import type { RequestFields } from "../rules/request-fields.ts";
import type { ZoneSettings } from "../settings/zone-settings.ts";
import type { Site } from "./site.ts";

export interface InquiryParts {
  readonly site: Site;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** The visitor's address. */
  readonly address: string;
}

export interface InquiryMeans {
  readonly crawlers: Pick<CrawlerVerifier, "mayBeCrawler" | "verify">;
  readonly settings: Pick<ZoneSettings, "metadata">;
}

const nobody: CrawlerVerdict = {
  status: "unverified",
  claimed: undefined,
  why: "The visitor matches no crawler in the directory.",
};

export class Inquiry implements RequestFields, Visitor {
  readonly site: Site;
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
  readonly #means: InquiryMeans;
  #verdict: CrawlerVerdict | Promise<CrawlerVerdict> | undefined;

  constructor({ site, method, target, headers, address }: InquiryParts, means: InquiryMeans) {
    this.site = site;
    this.method = method;
    this.target = target;
    this.path = pathOf(target);
    this.headers = headers;
    this.address = address;
    this.#means = means;
  }

  get host(): string {
    return this.site.host;
  }

  get authority(): string {
    return this.site.authority;
  }

  get isTls(): boolean {
    return this.site.isTls;
  }

  /** The public URL. */
  get url(): string {
    return this.site.publicOrigin + this.target;
  }

  get query(): string {
    return this.target.slice(this.path.length + 1);
  }

  get userAgent(): string {
    return this.headers["user-agent"] ?? "";
  }

  get referer(): string {
    return this.headers.referer ?? "";
  }

  get hostnameMetadata(): string {
    const { zone, hostname } = this.site;
    if (!hostname || !zone.customMetadata) return "";
    const metadata = this.#means.settings.metadata(zone.id, hostname.id);
    return metadata ? JSON.stringify(metadata) : "";
  }

  /** Empty until `verdict` has resolved. */
  get verifiedBotCategory(): string {
    return this.#verified?.category ?? "";
  }

  get isVerifiedBot(): boolean {
    return this.#verified !== undefined;
  }

  get #verified() {
    const verdict = this.#verdict;
    return verdict && "status" in verdict && verdict.status === "verified" ? verdict : undefined;
  }

  /** Returns at once for every browser; otherwise it may wait for a DNS query. */
  verdict(): CrawlerVerdict | Promise<CrawlerVerdict> {
    this.#verdict ??= this.#means.crawlers.mayBeCrawler(this) ? this.#verify() : nobody;
    return this.#verdict;
  }

  async #verify(): Promise<CrawlerVerdict> {
    const verdict = await this.#means.crawlers.verify(this);
    this.#verdict = verdict;
    return verdict;
  }
}
