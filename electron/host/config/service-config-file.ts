// The keys of a service in the configuration file: their schemas and the configuration made of them. No message repeats
// a value: it may have a password in it.
import * as z from "zod";
import { formatIpAddress, parseIpAddress } from "../../platform/addresses/ip-address.ts";
import { addressRange, isHttpOrigin, port } from "./config-values.ts";
import { loopbackAddress } from "./host-config.ts";
import { defaultServiceConfig, roles, type ServiceConfig } from "./service-config.ts";

/** `postgres://USER@HOST:PORT,HOST/DATABASE?sslmode=…`, as libpq reads it; a list of hosts is not a web URL. */
const databaseUrl = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?[^@/?#\s]*\/([^/?#\s]+)(?:\?([^#\s]*))?$/;

const catalogUrl = z.string().superRefine((text, context) => {
  const [match, user = "", , query = ""] = databaseUrl.exec(text) ?? [];
  // A password may itself break the form of the address.
  if (hasPassword(text) || user.includes(":") || new URLSearchParams(query).has("password")) {
    const message = "A password must not be in this file; set PGPASSWORD or use the file ~/.pgpass";
    context.addIssue({ code: "custom", message });
  } else if (match === undefined) {
    const message = "Not the address of a database, such as postgres://db1,db2/echotop?sslmode=verify-full";
    context.addIssue({ code: "custom", message });
  }
});

function hasPassword(text: string): boolean {
  return /^[a-z]+:\/\/[^/]*:.*@/i.test(text);
}

const objectsUrl = z.string().superRefine((text, context) => {
  const { protocol, username, password, host, pathname, search, hash } = URL.canParse(text)
    ? new URL(text)
    : { protocol: "", username: "", password: "", host: "", pathname: "", search: "", hash: "" };
  const hasPlace = protocol === "s3:" ? host !== "" : protocol === "file:" && host === "" && pathname !== "/";
  if (username !== "" || password !== "" || hasPassword(text)) {
    const message =
      "A key must not be in this file; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use the file ~/.aws/credentials";
    context.addIssue({ code: "custom", message });
  } else if (!hasPlace || search !== "" || hash !== "") {
    const message =
      "Not the address of a bucket, such as s3://bucket/prefix, or of a folder that all machines share, such as file:///srv/echotop";
    context.addIssue({ code: "custom", message });
  }
});

const endpoint = z.string().refine(isHttpOrigin, {
  message: "Not an http or https origin without a path or a key, such as https://s3.example:9000",
});

const publicOrigin = z
  .string()
  .refine((text) => isHttpOrigin(text) && new URL(text).origin === text && text.startsWith("https:"), {
    message:
      "Not an https origin in lower case without a path, such as https://wx.example; give the address that browsers show",
  });

/** Each address has many forms, of which one is kept. The names of a wildcard address could not be checked. */
const adminAddress = z.string().transform((text, context) => {
  const address = parseIpAddress(text);
  if (address && BigInt(address.value) !== 0n) return formatIpAddress(address);
  const message = "Not one address of this machine, such as 10.0.0.5 or ::1";
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

const most = { drainSeconds: 3_600 } as const;

export const serviceKeys = {
  catalog: z.strictObject({ url: catalogUrl }).exactOptional(),
  objects: z
    .strictObject({
      url: objectsUrl,
      endpoint: endpoint.nullable().exactOptional(),
      path_style: z.boolean().exactOptional(),
    })
    .exactOptional(),
  roles: z
    .array(z.enum([...roles, "all"]))
    .min(1, "Empty; name the parts that this process runs, or leave the key out for all")
    .exactOptional(),
  public_origin: publicOrigin.exactOptional(),
  public: z.boolean().exactOptional(),
  trusted_proxies: z.array(addressRange).max(1_000).exactOptional(),
  admin: z.strictObject({ port, address: adminAddress.exactOptional() }).exactOptional(),
  drain_seconds: z.number().min(0).max(most.drainSeconds).exactOptional(),
  /** Read before everything else, by the command line. */
  log: z.strictObject({ format: z.enum(["text", "json"]) }).exactOptional(),
};

type ServiceKeys = z.infer<z.ZodObject<typeof serviceKeys>>;

export interface KeyFault {
  readonly key: string;
  readonly message: string;
}

/** Returns what contradicts itself among valid keys. */
export function findKeyFault(file: ServiceKeys): KeyFault | undefined {
  const { catalog, objects, roles: named, public: isPublic } = file;
  if (catalog !== undefined && objects === undefined)
    return { key: "objects", message: "It is required if there is a catalog; name the bucket of the frames" };
  if (objects !== undefined && catalog === undefined)
    return { key: "catalog", message: "It is required if there are objects; name the database" };
  if (named?.includes("worker") === true && catalog === undefined)
    return {
      key: "roles",
      message: "worker needs a catalog and objects; a data directory has no work for it",
    };
  const isReaderOnly = named?.every((role) => role === "reader") === true;
  if (isPublic === true && !isReaderOnly)
    return { key: "roles", message: 'It must be ["reader"] if public is true' };
  return undefined;
}

export function toServiceConfig(file: ServiceKeys): ServiceConfig {
  const { catalog, objects, roles: named, admin, drain_seconds: drainSeconds } = file;
  const isAll = named === undefined || named.includes("all");
  return {
    stores: catalog &&
      objects && {
        catalogUrl: catalog.url,
        objects: {
          url: objects.url,
          endpoint: objects.endpoint ?? undefined,
          pathStyle: objects.path_style ?? false,
        },
      },
    roles: isAll ? defaultServiceConfig.roles : new Set(named.filter((role) => role !== "all")),
    publicOrigin: file.public_origin,
    isPublic: file.public ?? false,
    trustedProxies: file.trusted_proxies ?? [],
    admin: admin && { address: admin.address ?? loopbackAddress, port: admin.port },
    drainMs: (drainSeconds ?? 0) * 1_000,
  };
}
