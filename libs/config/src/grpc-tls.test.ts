import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CertificateAuthority, createAuthority, type Pem } from '@shopscope/certificates';
import { dayMs } from '@shopscope/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConfigError,
  type Environment,
  type GrpcTlsConfig,
  grpcTarget,
  grpcTlsFilesRule,
  grpcTlsRule,
  grpcTlsSettings,
  kafkaSettings,
  peerOf,
  readConfig,
  serviceSettings,
  z,
} from './index.ts';

const at = (days: number) => new Date(Date.UTC(2026, 0, 1) + days * dayMs);
const always = { notBefore: at(0), notAfter: at(100) };
const schema = z.object({ ...grpcTlsSettings });

describe('TLS files between services', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grpc-tls-'));
  let authority: CertificateAuthority;
  let own: Pem;
  let other: Pem;
  let good: Required<GrpcTlsConfig>;
  let written = 0;

  const file = (content: string) => {
    const path = join(folder, `${written++}.pem`);
    writeFileSync(path, content);
    return path;
  };
  const keysCertificate = (uris = ['spiffe://shopscope/keys']) => authority.issue('keys', { uris, ...always });
  const problemsOf = (env: GrpcTlsConfig, day = 50): readonly string[] => {
    try {
      readConfig(schema, env, [grpcTlsFilesRule('keys', at(day).getTime())]);
      return [];
    } catch (error) {
      return (error as ConfigError).problems;
    }
  };

  beforeAll(async () => {
    authority = await createAuthority('one', { notBefore: at(0), notAfter: at(90) });
    own = await keysCertificate();
    other = await keysCertificate();
    good = {
      GRPC_TLS_CA_FILE: file(authority.cert),
      GRPC_TLS_CERT_FILE: file(own.cert),
      GRPC_TLS_KEY_FILE: file(own.key),
    };
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('the TLS files are all set or none', () => {
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf(good)).toEqual([]);
    expect(problemsOf({ GRPC_TLS_CERT_FILE: good.GRPC_TLS_CERT_FILE })).toEqual([
      'GRPC_TLS_CA_FILE: is required once another GRPC_TLS_ variable is set',
      'GRPC_TLS_KEY_FILE: is required once another GRPC_TLS_ variable is set',
    ]);
  });

  it('the TLS files have all their problems reported together, by the name of the variable', () => {
    const invalid = {
      GRPC_TLS_CA_FILE: '/absent',
      GRPC_TLS_CERT_FILE: file('not PEM'),
      GRPC_TLS_KEY_FILE: file(own.cert),
    };
    expect(problemsOf(invalid)).toEqual([
      'GRPC_TLS_CA_FILE: cannot be read (ENOENT)',
      'GRPC_TLS_CERT_FILE: is not a certificate in PEM',
      'GRPC_TLS_KEY_FILE: is not a private key in PEM without a passphrase',
    ]);
  });

  it('the TLS files need the key of the same certificate', () => {
    expect(problemsOf({ ...good, GRPC_TLS_KEY_FILE: file(other.key) })).toEqual([
      'GRPC_TLS_KEY_FILE: is not the key of the certificate in GRPC_TLS_CERT_FILE',
    ]);
  });

  it('the TLS files need a certificate that is valid now', () => {
    expect(problemsOf(good, 101)).toContain('GRPC_TLS_CERT_FILE: expired at 2026-04-11T00:00:00.000Z');
    expect(problemsOf(good, -1)).toEqual(['GRPC_TLS_CERT_FILE: is valid only from 2026-01-01T00:00:00.000Z']);
  });

  it('the TLS files need a valid authority that issued the certificate, and may contain an expired authority too', async () => {
    expect(problemsOf(good, 95)).toEqual(['GRPC_TLS_CA_FILE: expired at 2026-04-01T00:00:00.000Z']);
    const next = await createAuthority('two', { notBefore: at(0), notAfter: at(100) });
    expect(problemsOf({ ...good, GRPC_TLS_CA_FILE: file(next.cert) })).toEqual([
      'GRPC_TLS_CERT_FILE: was not issued by an authority in GRPC_TLS_CA_FILE',
    ]);
    expect(problemsOf({ ...good, GRPC_TLS_CA_FILE: file(authority.cert + next.cert) }, 95)).toEqual([]);
    expect(problemsOf({ ...good, GRPC_TLS_CA_FILE: file(own.cert) })).toContain(
      'GRPC_TLS_CA_FILE: contains a certificate that is not a certificate authority',
    );
  });

  it('the TLS files need a certificate of this service and of no other one', async () => {
    const problem = 'GRPC_TLS_CERT_FILE: must name spiffe://shopscope/keys as its only URI';
    for (const uris of [
      [],
      ['spiffe://shopscope/gateway'],
      ['spiffe://shopscope/keys', 'spiffe://shopscope/gateway'],
    ]) {
      const pem = await keysCertificate(uris);
      const env = { ...good, GRPC_TLS_CERT_FILE: file(pem.cert), GRPC_TLS_KEY_FILE: file(pem.key) };
      expect(problemsOf(env)).toEqual([problem]);
    }
  });

  it('the TLS files never have their contents in a message', () => {
    const swapped = { ...good, GRPC_TLS_CERT_FILE: good.GRPC_TLS_KEY_FILE, GRPC_TLS_KEY_FILE: file(other.key) };
    const messages = problemsOf({ ...swapped, GRPC_TLS_CA_FILE: file(own.key) }).join('\n');
    expect(messages.split('\n').length).toBeGreaterThan(1);
    for (const line of [...own.key.split('\n'), ...other.key.split('\n')].filter((text) => text !== '')) {
      expect(messages).not.toContain(line);
    }
  });
});

describe('gRPC in production', () => {
  const { HOST, SHOPSCOPE_ENV } = serviceSettings;
  const { INSECURE_CONNECTIONS } = kafkaSettings;
  const settings = { HOST, SHOPSCOPE_ENV, INSECURE_CONNECTIONS, ...grpcTlsSettings };
  const service = z.object({ ...settings, KEYS_ADDRESS: grpcTarget(), GATEWAY_ADDRESS: z.string().optional() });
  const isRefused = (env: Environment) => {
    try {
      readConfig(service, { KEYS_ADDRESS: 'dns:///keys:50051', ...env }, [grpcTlsRule('dashboard')]);
      return false;
    } catch (error) {
      expect((error as ConfigError).problems).toEqual([expect.stringMatching(/^GRPC_TLS_CERT_FILE: is required/)]);
      return true;
    }
  };
  const loopback = { HOST: '127.0.0.1', KEYS_ADDRESS: '127.0.0.1:50051' };

  it('gRPC in production needs mutual TLS, because production is the default', () => {
    expect(isRefused({})).toBe(true);
    expect(isRefused({ SHOPSCOPE_ENV: 'production' })).toBe(true);
    expect(isRefused({ SHOPSCOPE_ENV: 'development' })).toBe(false);
  });

  it('gRPC in production needs no mutual TLS when INSECURE_CONNECTIONS names grpc, and no other name permits it', () => {
    expect(isRefused({ INSECURE_CONNECTIONS: 'grpc' })).toBe(false);
    expect(isRefused({ INSECURE_CONNECTIONS: 'mongodb,kafka,redis' })).toBe(true);
  });

  it('gRPC in production needs no mutual TLS when the service listens on loopback and calls loopback addresses only', () => {
    expect(isRefused(loopback)).toBe(false);
    expect(isRefused({ ...loopback, KEYS_ADDRESS: 'ipv4:127.0.0.1:1,127.0.0.1:2' })).toBe(false);
    expect(isRefused({ ...loopback, KEYS_ADDRESS: 'dns:///localhost:1' })).toBe(false);
    expect(isRefused({ ...loopback, HOST: '0.0.0.0' })).toBe(true);
    expect(isRefused({ ...loopback, HOST: '' })).toBe(true);
    expect(isRefused({ ...loopback, KEYS_ADDRESS: 'ipv4:127.0.0.1:1,10.0.0.1:2' })).toBe(true);
    expect(isRefused({ ...loopback, KEYS_ADDRESS: '127.0.0.1.example:1' })).toBe(true);
    expect(isRefused({ ...loopback, GATEWAY_ADDRESS: 'gateway:8081' })).toBe(true);
  });
});

describe('peer of a certificate', () => {
  it('the peer of a certificate is named by the only URI', () => {
    expect(peerOf('URI:spiffe://shopscope/keys')).toBe('keys');
    expect(peerOf('DNS:keys, URI:spiffe://shopscope/scan-scheduler')).toBe('scan-scheduler');
  });

  it.each([
    undefined,
    '',
    'DNS:keys',
    'URI:spiffe://shopscope/nobody',
    'URI:spiffe://elsewhere/keys',
    'URI:spiffe://shopscope/keys/more',
    'URI:spiffe://shopscope/keys, URI:spiffe://shopscope/gateway',
    'URI:spiffe://shopscope/keys, URI:https://elsewhere.example',
    'DNS:"a, URI:spiffe://shopscope/keys, b"',
  ])('the peer of a certificate is undefined for %s', (names) => {
    expect(peerOf(names)).toBe(undefined);
  });
});
