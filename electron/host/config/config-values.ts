// Kinds of values that several sections of the configuration file have.
import { isIP } from "node:net";
import * as z from "zod";
import { parseCidr } from "../../platform/addresses/ip-address.ts";

export const port = z.int().min(0).max(65_535);

export const addressRange = z
  .string()
  .refine((text) => parseCidr(text) !== undefined, { message: "Not an address range such as 10.0.0.0/8" });

/** `127.0.0.1:53` or `[::1]:53` */
export const addressAndPort = z.string().refine(
  (text) => {
    const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
    const isAddress = bracketed === undefined ? isIP(plain ?? "") === 4 : isIP(bracketed) === 6;
    return isAddress && Number(digits) >= 1 && Number(digits) <= 65_535;
  },
  { message: "Not an address and a port such as 127.0.0.1:53" },
);

/** `https://brief.example`: only a scheme and an authority. */
export const httpOrigin = z.string().refine((text) => isHttpOrigin(text), {
  message: "Not an http or https origin without a path, such as https://brief.example",
});

export function isHttpOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return false;
  const isBare = [url.username, url.password, url.search, url.hash].every((part) => part === "");
  return isBare && url.pathname === "/" && !/[?#\\]/.test(text);
}

/** Any address of the web. */
export const webAddress = z.url({ protocol: /^https?$/ });
