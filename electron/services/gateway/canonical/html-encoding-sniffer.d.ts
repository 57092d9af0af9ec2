// Types for html-encoding-sniffer, which ships none: the part of it that is used here.
declare module "html-encoding-sniffer" {
  /**
   * Returns the name of the encoding in the case of the Encoding standard, or `defaultEncoding` if none is declared.
   */
  const sniffEncoding: (bytes: Uint8Array, options: { readonly defaultEncoding: string }) => string;
  export = sniffEncoding;
}
