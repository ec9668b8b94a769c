import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { createDeadline } from '@shopscope/async';
import { type CertificateAuthority, createAuthority, type Pem } from '@shopscope/certificates';
import { dayMs } from '@shopscope/clock';
import { identityUri, type PeerName } from '@shopscope/config';
import { ProfilesServiceService } from '@shopscope/proto';
import { createRegistry, type Logger, Registry } from '@shopscope/telemetry';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createGrpcClient,
  createGrpcServer,
  type GrpcSecurity,
  type HttpsSecurity,
  openGrpcSecurity,
} from './index.ts';

/** A service with one method. */
const definition = { getStores: ProfilesServiceService.getStores };
const nowMs = Date.now();
const valid = { notBefore: new Date(nowMs - dayMs), notAfter: new Date(nowMs + dayMs) };
const past = { notBefore: new Date(nowMs - 2 * dayMs), notAfter: new Date(nowMs - dayMs) };
const request = { domains: ['a.example'] };
const nothing = { bodies: Buffer.alloc(0), stores: [] };
const message = 'The caller may not call this method.';

/** With real sockets: which certificates are accepted, which methods a peer may call, and how files are renewed. */
describe('mutual TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grpc-security-'));
  const lines: { level: string; message: string }[] = [];
  const record = (level: string) => (members: object, message: string) => lines.push({ level, message, ...members });
  const isLevelEnabled = (level: string) => level !== 'debug';
  const logger = {
    isLevelEnabled,
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  } as unknown as Logger;
  const cleanups: (() => unknown)[] = [];
  let authority: CertificateAuthority;
  let foreign: CertificateAuthority;
  let written = 0;

  beforeAll(async () => {
    authority = await createAuthority('ours', valid);
    foreign = await createAuthority('theirs', valid);
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup();
    lines.length = 0;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (path: string, content: string) => {
    writeFileSync(path, content);
    return path;
  };
  const issue = (name: PeerName, by = authority, time = valid) =>
    by.issue(name, { uris: [identityUri(name)], ...time });
  /** Three new files, as in GRPC_TLS_*_FILE. */
  const filesOf = (pem: Pem, ca = authority.cert) => {
    const path = join(folder, String(written++));
    return {
      ca: { variable: 'CA', path: file(`${path}.ca`, ca) },
      cert: { variable: 'CERT', path: file(`${path}.crt`, pem.cert) },
      key: { variable: 'KEY', path: file(`${path}.key`, pem.key) },
    };
  };
  const open = (files: ReturnType<typeof filesOf>, time = nowMs): GrpcSecurity => {
    const security = openGrpcSecurity({ files, logger, registry: new Registry(), nowMs: () => time });
    cleanups.push(security.close);
    return security;
  };

  async function serve(security: GrpcSecurity) {
    const registry = createRegistry({ service: 'test' });
    const server = createGrpcServer({ host: '127.0.0.1', port: 0, logger, registry, security });
    let handled = 0;
    server.addService(
      definition,
      {
        getStores: async () => {
          handled++;
          return nothing;
        },
      },
      { getStores: ['gateway'] },
    );
    const address = await server.listen();
    cleanups.push(() => server.stop(100));
    return { address, registry, handled: () => handled };
  }
  /** One call over a new connection. */
  const call = (address: string, security?: GrpcSecurity, peer: PeerName = 'profiles') => {
    const client = createGrpcClient({ definition, address, security: security?.towards(peer) });
    return client.getStores(request, { deadline: createDeadline(5_000) }).finally(() => client.close());
  };

  it('mutual TLS accepts a peer with a certificate, and checks the peer name of the server', async () => {
    const { address, handled } = await serve(open(filesOf(await issue('profiles'))));
    const gateway = open(filesOf(await issue('gateway')));
    expect(await call(address, gateway)).toEqual(nothing);
    await expect(call(address, gateway, 'keys')).rejects.toMatchObject({ code: 'unavailable' });
    expect(handled()).toBe(1);
  });

  it('a client with or without TLS is served by the instances of its kind alone, while both kinds run', async () => {
    const secured = await serve(open(filesOf(await issue('profiles'))));
    const plain = await serve(openGrpcSecurity({ files: undefined }));
    const both = `ipv4:${plain.address},${secured.address}`;
    for (const security of [open(filesOf(await issue('gateway'))), undefined]) {
      const client = createGrpcClient({ definition, address: both, security: security?.towards('profiles') });
      cleanups.push(client.close);
      for (let n = 0; n < 20; n++) {
        expect(await client.getStores(request, { deadline: createDeadline(5_000) })).toEqual(nothing);
      }
    }
    expect([secured.handled(), plain.handled()]).toEqual([20, 20]);
  });

  it('mutual TLS refuses a client without a certificate, of another authority, or with an expired certificate', async () => {
    const { address, handled } = await serve(open(filesOf(await issue('profiles'))));
    const refused = {
      'without TLS': undefined,
      'of another authority': open(filesOf(await issue('gateway', foreign), foreign.cert + authority.cert)),
      expired: open(filesOf(await issue('gateway', authority, past)), nowMs - 1.5 * dayMs),
    };
    for (const [which, security] of Object.entries(refused)) {
      await expect(call(address, security), which).rejects.toMatchObject({ code: 'unavailable' });
    }
    const withoutCertificate = await tlsEnd(address, { ca: authority.cert });
    expect(withoutCertificate).toMatch(/certificate required|ECONNRESET/i);
    expect(handled()).toBe(0);
    expect(await call(address, open(filesOf(await issue('gateway'))))).toEqual(nothing);
  });

  it('mutual TLS refuses a server of another authority or with an expired certificate', async () => {
    const gateway = open(filesOf(await issue('gateway')));
    const servers = {
      foreign: open(filesOf(await issue('profiles', foreign), foreign.cert + authority.cert)),
      expired: open(filesOf(await issue('profiles', authority, past)), nowMs - 1.5 * dayMs),
    };
    for (const [which, security] of Object.entries(servers)) {
      const { address, handled } = await serve(security);
      await expect(call(address, gateway), which).rejects.toMatchObject({ code: 'unavailable' });
      expect(handled()).toBe(0);
    }
  });

  it('mutual TLS accepts TLS 1.2 and 1.3, and no older version', async () => {
    const { address } = await serve(open(filesOf(await issue('profiles'))));
    const { cert, key } = await issue('gateway');
    const own = { ca: authority.cert, cert, key };
    expect(await tlsEnd(address, { ...own, maxVersion: 'TLSv1.2' })).toBe('TLSv1.2');
    expect(await tlsEnd(address, own)).toBe('TLSv1.3');
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;
    expect(await tlsEnd(address, { ...own, ...old })).toMatch(/protocol version|unsupported protocol/i);
  });

  it('mutual TLS refuses a peer without access to the method, with no details, and logs and counts the refusal once', async () => {
    const { address, handled, registry } = await serve(open(filesOf(await issue('profiles'))));
    const scanner = open(filesOf(await issue('scanner')));
    const error = await call(address, scanner).catch((thrown: unknown) => thrown);
    // `internal`, not `forbidden_scope`: the cause is a fault of this system, not the customer's key.
    expect(error).toMatchObject({ code: 'internal', cause: { code: 7, details: message } });
    expect(handled()).toBe(0);
    expect(await registry.getSingleMetric('grpc_server_refused_total')?.get()).toMatchObject({
      values: [{ value: 1, labels: { method: definition.getStores.path, peer: 'scanner' } }],
    });
    expect(lines.filter((line) => line.message === 'call refused')).toMatchObject([
      { level: 'warn', peer: 'scanner', method: definition.getStores.path },
    ]);
  });

  it('mutual TLS refuses a certificate that names no peer, an unknown peer or two peers', async () => {
    const { address, handled } = await serve(open(filesOf(await issue('profiles'))));
    for (const uris of [[], ['spiffe://shopscope/nobody'], [identityUri('gateway'), identityUri('profiles')]]) {
      const pem = await authority.issue('gateway', { uris, ...valid });
      const error = await call(address, open(filesOf(pem))).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ cause: { code: 7, details: message } });
    }
    expect(handled()).toBe(0);
  });

  it('mutual TLS uses renewed files for new connections on both ends, without a restart', async () => {
    const [serverFiles, clientFiles] = [filesOf(await issue('profiles')), filesOf(await issue('gateway'))];
    const [server, gateway] = [open(serverFiles), open(clientFiles)];
    const { address } = await serve(server);
    expect(await call(address, gateway)).toEqual(nothing);

    const renew = async (files: typeof serverFiles, name: PeerName, ca: string) => {
      const pem = await issue(name, foreign);
      file(files.ca.path, ca);
      file(files.cert.path, pem.cert);
      file(files.key.path, pem.key);
    };
    await renew(serverFiles, 'profiles', foreign.cert);
    expect(server.refresh()).toBe(true);
    await expect(call(address, gateway)).rejects.toMatchObject({ code: 'unavailable' });
    await renew(clientFiles, 'gateway', foreign.cert);
    expect(gateway.refresh()).toBe(true);
    expect(await call(address, gateway)).toEqual(nothing);
    expect(gateway.refresh()).toBe(false);
  });

  it('mutual TLS uses the previous files while a renewal is incomplete, and logs this once', async () => {
    const files = filesOf(await issue('profiles'));
    const security = open(files);
    const { address } = await serve(security);
    const gateway = open(filesOf(await issue('gateway')));
    const renewed = await issue('profiles');
    file(files.key.path, renewed.key);
    expect([security.refresh(), security.refresh()]).toEqual([false, false]);
    expect(await call(address, gateway)).toEqual(nothing);
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
      { problems: ['KEY: is not the key of the certificate in CERT'] },
    ]);
    file(files.cert.path, renewed.cert);
    expect(security.refresh()).toBe(true);
    expect(await call(address, gateway)).toEqual(nothing);
    expect(JSON.stringify(lines)).not.toContain('PRIVATE KEY');
  });

  it('mutual TLS never changes its identity by a renewal', async () => {
    const files = filesOf(await issue('profiles'));
    const security = open(files);
    const other = await issue('keys');
    file(files.cert.path, other.cert);
    file(files.key.path, other.key);
    expect(security.refresh()).toBe(false);
  });

  describe('HTTP', () => {
    /** The response of one request over a new connection, or the error. */
    const ask = (port: number, security: GrpcSecurity, peer: PeerName = 'profiles') =>
      new Promise<string>((resolve) => {
        const agent = new Agent();
        const options = { host: '127.0.0.1', port, agent, ...security.https?.towards(peer) };
        const asked = httpsRequest(options, (response) => {
          response.setEncoding('utf8').on('data', resolve);
        });
        asked.on('error', ({ message }) => resolve(message));
        asked.end();
      });
    const serveHttp = async (security: GrpcSecurity) => {
      let handled = 0;
      const server = (security.https as HttpsSecurity).createServer({}, ['gateway']).on('request', (_, response) => {
        handled++;
        response.end('served');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      cleanups.push(() => server.close());
      return { port: (server.address() as AddressInfo).port, handled: () => handled };
    };

    it('mutual TLS of HTTP serves the allowed peers only, and the caller checks the peer name of the server', async () => {
      const { port, handled } = await serveHttp(open(filesOf(await issue('profiles'))));
      const gateway = open(filesOf(await issue('gateway')));
      expect(await ask(port, gateway)).toBe('served');
      expect(await ask(port, gateway, 'keys')).toContain('the server is not');
      expect(await ask(port, open(filesOf(await issue('dashboard'))))).not.toBe('served');
      const foreigner = filesOf(await issue('gateway', foreign), foreign.cert + authority.cert);
      expect(await ask(port, open(foreigner))).not.toBe('served');
      expect(handled()).toBe(1);
      expect(lines).toContainEqual({ level: 'info', message: 'connection refused', peer: 'dashboard' });
    });

    it('mutual TLS of HTTP uses renewed certificates for new connections', async () => {
      const files = filesOf(await issue('profiles'));
      const security = open(files);
      const { port } = await serveHttp(security);
      const renewed = await issue('profiles', foreign);
      file(files.ca.path, foreign.cert);
      file(files.cert.path, renewed.cert);
      file(files.key.path, renewed.key);
      expect(security.refresh()).toBe(true);
      expect(await ask(port, open(filesOf(await issue('gateway', foreign), foreign.cert)))).toBe('served');
      expect(await ask(port, open(filesOf(await issue('gateway'))))).not.toBe('served');
    });
  });

  it('a server with mutual TLS refuses to start with invalid files', async () => {
    const pem = await issue('profiles', authority, past);
    expect(() => open(filesOf(pem))).toThrow(/CERT: expired at/);
  });

  it('mutual TLS exports the expiry of its certificate as a metric', async () => {
    const registry = new Registry();
    const files = filesOf(await issue('profiles'));
    cleanups.push(openGrpcSecurity({ files, logger, registry }).close);
    const expiry = await registry.getSingleMetric('grpc_certificate_expires_timestamp_seconds')?.get();
    expect(expiry?.values[0]?.value).toBe(Math.floor(valid.notAfter.getTime() / 1_000));
  });
});

/** The negotiated TLS version after the first response of the server, or the error. */
function tlsEnd(address: string, options: object): Promise<string> {
  const [host = '', port] = address.split(':');
  return new Promise((resolve) => {
    const checkServerIdentity = () => undefined;
    const socket = connect({ host, port: Number(port), ALPNProtocols: ['h2'], checkServerIdentity, ...options });
    socket.on('data', () => {
      resolve(socket.getProtocol() ?? 'none');
      socket.destroy();
    });
    socket.on('error', (error) => resolve(`${error.message} ${(error as NodeJS.ErrnoException).code}`));
    socket.on('close', () => resolve('closed'));
  });
}
