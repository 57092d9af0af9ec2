// One request as everything that decides about it sees it: what rules ask for, what crawlers are known by, and the
// verdict on the visitor, which is found out once and only when somebody wants it.
import type { IncomingHttpHeaders } from "node:http";
import { pathOf } from "../../http/target.ts";
import type { CrawlerVerdict, CrawlerVerifier, Visitor } from "../crawlers/crawler-verdict.ts";
import type { RequestFields } from "../rules/request-fields.ts";
import type { ZoneSettings } from "../settings/zone-settings.ts";
import type { Site } from "./site.ts";

export interface InquiryParts {
  readonly site: Site;
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Whose request it is. */
  readonly address: string;
}

export interface InquiryMeans {
  readonly crawlers: Pick<CrawlerVerifier, "mayBeCrawler" | "verify">;
  readonly settings: Pick<ZoneSettings, "metadata">;
}

const nobody: CrawlerVerdict = {
  status: "unverified",
  claimed: undefined,
  why: "Nothing about the visitor names a crawler of the directory.",
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

  /** Known once `verdict` has been waited for. */
  get verifiedBotCategory(): string {
    const verdict = this.#verdict;
    return verdict && "status" in verdict && verdict.status === "verified" ? verdict.category : "";
  }

  get isVerifiedBot(): boolean {
    const verdict = this.#verdict;
    return verdict !== undefined && "status" in verdict && verdict.status === "verified";
  }

  /** At once for every browser; otherwise it may take the time of a DNS query. */
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
