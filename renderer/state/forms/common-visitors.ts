// Common visitors with the user agents that their operators document, to choose from in a form. The gateway verifies
// visitors by its own directory, not by this list.

export type VisitorKind = "training" | "search-answers" | "assistant" | "search" | "browser";

export interface CommonVisitor {
  readonly name: string;
  readonly kind: VisitorKind;
  readonly userAgent: string;
  /** An address that its operator documents. */
  readonly knownAddress?: string;
}

/** Common start of most user agents. */
const webKit = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko";

/** The gateway can verify the first one with the crawler list that comes with Echotop. */
export const commonVisitors: readonly CommonVisitor[] = [
  {
    name: "CCBot",
    kind: "training",
    userAgent: "CCBot/2.0 (https://commoncrawl.org/faq/)",
    // https://index.commoncrawl.org/ccbot.json
    knownAddress: "18.97.9.168",
  },
  {
    name: "Amazonbot",
    kind: "training",
    userAgent: `${webKit}; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot) Chrome/119.0.6045.214 Safari/537.36`,
  },
  {
    name: "GPTBot",
    kind: "training",
    userAgent: `${webKit}; compatible; GPTBot/1.2; +https://openai.com/gptbot)`,
  },
  {
    name: "ClaudeBot",
    kind: "training",
    userAgent: `${webKit}; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)`,
  },
  {
    name: "Meta-ExternalAgent",
    kind: "training",
    userAgent: "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
  },
  {
    name: "OAI-SearchBot",
    kind: "search-answers",
    userAgent: `${webKit}); compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot`,
  },
  {
    name: "PerplexityBot",
    kind: "search-answers",
    userAgent: `${webKit}; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)`,
  },
  {
    name: "ChatGPT-User",
    kind: "assistant",
    userAgent: `${webKit}); compatible; ChatGPT-User/1.0; +https://openai.com/bot`,
  },
  {
    name: "Claude-User",
    kind: "assistant",
    userAgent: `${webKit}; compatible; Claude-User/1.0; +Claude-User@anthropic.com)`,
  },
  {
    name: "Googlebot",
    kind: "search",
    userAgent: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    // https://developers.google.com/search/docs/crawling-indexing/verifying-googlebot
    knownAddress: "66.249.66.1",
  },
  {
    name: "bingbot",
    kind: "search",
    userAgent: "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  },
  {
    name: "A reader's browser",
    kind: "browser",
    userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
  },
];
