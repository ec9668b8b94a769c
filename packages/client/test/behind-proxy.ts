import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@shopscope/certificates';
import { startProxy } from './proxy.ts';

export const proxiedHost = 'api.shopscope.example';

/** A service that only a proxy reaches: its name is in no DNS. `env` is that of a person behind the proxy. */
export async function startBehindProxy(bodyOf: (path: string) => unknown) {
  const dayMs = 24 * 60 * 60_000;
  const validity = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
  const authority = await createAuthority('test', validity);
  const { cert, key } = await authority.issue(proxiedHost, { uris: [], hosts: [proxiedHost], ...validity });
  const folder = mkdtempSync(join(tmpdir(), 'behind-proxy-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.cert);
  const paths: string[] = [];
  const server = createServer({ cert, key }, ({ url = '' }, response) => {
    paths.push(url);
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(bodyOf(url)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = await startProxy({ port: (server.address() as AddressInfo).port });
  return {
    paths,
    asked: proxy.asked,
    env: { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: caFile, SSL_CERT_FILE: caFile },
    /** With /v1, as the API's own document publishes it. */
    baseUrl: `https://${proxiedHost}/v1`,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true });
    },
  };
}
