// A proxy that ends TLS in front of a service: nginx with a certificate of its own.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";
import { findFreePort } from "../support/free-port.ts";
import { startNginxWith, type RunningNginx } from "../support/nginx.ts";

export interface Certificate {
  readonly certificatePem: string;
  readonly keyPem: string;
}

export interface TlsProxy {
  readonly port: number;
  /** `https://wx.example:PORT` */
  readonly origin: string;
  readonly certificatePem: string;
  /** Starts to pass requests on to a service, at its origin. */
  start(service: string): Promise<void>;
  stop(): Promise<void>;
}

export const proxyName = "wx.example";

export async function createCertificate(): Promise<Certificate> {
  const { cert, private: key } = await generate([{ name: "commonName", value: proxyName }], {
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: proxyName }] }],
  });
  return { certificatePem: cert, keyPem: key };
}

export async function prepareTlsProxy(directory: string): Promise<TlsProxy> {
  mkdirSync(directory, { recursive: true });
  const port = await findFreePort();
  const { certificatePem, keyPem } = await createCertificate();
  const certificateFile = join(directory, "certificate.pem");
  const keyFile = join(directory, "key.pem");
  writeFileSync(certificateFile, certificatePem);
  writeFileSync(keyFile, keyPem);
  let nginx: RunningNginx | undefined;
  return {
    port,
    origin: `https://${proxyName}:${port}`,
    certificatePem,
    async start(service) {
      const block = `
        listen 127.0.0.1:${port} ssl;
        ssl_certificate ${certificateFile};
        ssl_certificate_key ${keyFile};
        location / {
          proxy_pass ${service};
          proxy_http_version 1.1;
          proxy_set_header Host $http_host;
          proxy_set_header Upgrade $http_upgrade;
          proxy_set_header Connection $connection_header;
        }`;
      const beside = `map $http_upgrade $connection_header { default upgrade; "" ""; }`;
      nginx = await startNginxWith(block, directory, beside);
    },
    stop: async () => nginx?.stop(),
  };
}
