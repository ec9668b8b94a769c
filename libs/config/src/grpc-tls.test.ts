import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Authority, createAuthority, type Pem } from '@shopscope/certificates';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConfigError, type GrpcTlsConfig, grpcTlsRule, grpcTlsSettings, peerOf, readConfig, z } from './index.ts';

const day = 86_400_000;
const at = (days: number) => new Date(Date.UTC(2026, 0, 1) + days * day);
const always = { notBefore: at(0), notAfter: at(100) };
const schema = z.object({ ...grpcTlsSettings });

describe('the files of TLS between services', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grpc-tls-'));
  let authority: Authority;
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
      readConfig(schema, env, [grpcTlsRule('keys', at(day).getTime())]);
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

  it('are all there or none', () => {
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf(good)).toEqual([]);
    expect(problemsOf({ GRPC_TLS_CERT_FILE: good.GRPC_TLS_CERT_FILE })).toEqual([
      'GRPC_TLS_CA_FILE: is required once another GRPC_TLS_ variable is set',
      'GRPC_TLS_KEY_FILE: is required once another GRPC_TLS_ variable is set',
    ]);
  });

  it('report every fault at once, by the name of the variable', () => {
    const faulty = {
      GRPC_TLS_CA_FILE: '/absent',
      GRPC_TLS_CERT_FILE: file('not PEM'),
      GRPC_TLS_KEY_FILE: file(own.cert),
    };
    expect(problemsOf(faulty)).toEqual([
      'GRPC_TLS_CA_FILE: cannot be read (ENOENT)',
      'GRPC_TLS_CERT_FILE: is not a certificate in PEM',
      'GRPC_TLS_KEY_FILE: is not a private key in PEM without a passphrase',
    ]);
  });

  it('need the key of this very certificate', () => {
    expect(problemsOf({ ...good, GRPC_TLS_KEY_FILE: file(other.key) })).toEqual([
      'GRPC_TLS_KEY_FILE: is not the key of the certificate in GRPC_TLS_CERT_FILE',
    ]);
  });

  it('need a certificate that is valid now', () => {
    expect(problemsOf(good, 101)).toContain('GRPC_TLS_CERT_FILE: expired at 2026-04-11T00:00:00.000Z');
    expect(problemsOf(good, -1)).toEqual(['GRPC_TLS_CERT_FILE: is valid only from 2026-01-01T00:00:00.000Z']);
  });

  it('need an authority that is valid now and issued the certificate; an expired one may stand beside it', async () => {
    expect(problemsOf(good, 95)).toEqual(['GRPC_TLS_CA_FILE: expired at 2026-04-01T00:00:00.000Z']);
    const next = await createAuthority('two', { notBefore: at(0), notAfter: at(100) });
    expect(problemsOf({ ...good, GRPC_TLS_CA_FILE: file(next.cert) })).toEqual([
      'GRPC_TLS_CERT_FILE: was not issued by an authority in GRPC_TLS_CA_FILE',
    ]);
    expect(problemsOf({ ...good, GRPC_TLS_CA_FILE: file(authority.cert + next.cert) }, 95)).toEqual([]);
    expect(problemsOf({ ...good, GRPC_TLS_CA_FILE: file(own.cert) })).toContain(
      "GRPC_TLS_CA_FILE: holds a certificate that is not an authority's",
    );
  });

  it('need a certificate of this service, not of a neighbour', async () => {
    const fault = 'GRPC_TLS_CERT_FILE: does not name its holder as spiffe://shopscope/keys and nothing else';
    for (const uris of [
      [],
      ['spiffe://shopscope/gateway'],
      ['spiffe://shopscope/keys', 'spiffe://shopscope/gateway'],
    ]) {
      const pem = await keysCertificate(uris);
      const env = { ...good, GRPC_TLS_CERT_FILE: file(pem.cert), GRPC_TLS_KEY_FILE: file(pem.key) };
      expect(problemsOf(env)).toEqual([fault]);
    }
  });

  it('never show in a fault what they hold', () => {
    const swapped = { ...good, GRPC_TLS_CERT_FILE: good.GRPC_TLS_KEY_FILE, GRPC_TLS_KEY_FILE: file(other.key) };
    const said = problemsOf({ ...swapped, GRPC_TLS_CA_FILE: file(own.key) }).join('\n');
    expect(said.split('\n').length).toBeGreaterThan(1);
    for (const line of [...own.key.split('\n'), ...other.key.split('\n')].filter((text) => text !== '')) {
      expect(said).not.toContain(line);
    }
  });
});

describe('the holder of a certificate', () => {
  it('is the one peer that its one URI names', () => {
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
  ])('is nobody for %s', (names) => {
    expect(peerOf(names)).toBe(undefined);
  });
});
