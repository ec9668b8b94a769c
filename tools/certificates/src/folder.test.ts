import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs } from '@shopscope/clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeCertificates } from './index.ts';

const startMs = Date.UTC(2026, 0, 1);
const holders = { keys: 'spiffe://shopscope/keys', gateway: 'spiffe://shopscope/gateway' };

describe('folder of certificates', () => {
  let directory: string;
  beforeEach(() => {
    directory = join(mkdtempSync(join(tmpdir(), 'certificates-')), 'new');
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const write = (days = 0, named: Record<string, string> = holders) =>
    writeCertificates({ directory, holders: named, nowMs: startMs + days * dayMs });
  const newOf = async (days: number, named?: Record<string, string>) =>
    (await write(days, named)).filter(({ isNew }) => isNew).map(({ name }) => name);
  const certificate = (name: string) => new X509Certificate(readFileSync(join(directory, `${name}.crt`)));

  it('a folder of certificates has an authority, and a certificate with its key for each name', async () => {
    await write();
    const authority = certificate('ca');
    for (const [name, uri] of Object.entries(holders)) {
      const own = certificate(name);
      expect([own.subjectAltName, own.checkIssued(authority), own.verify(authority.publicKey), own.ca]).toEqual([
        `URI:${uri}`,
        true,
        true,
        false,
      ]);
      expect(own.checkPrivateKey(createPrivateKey(readFileSync(join(directory, `${name}.key`))))).toBe(true);
    }
  });

  it('a folder of certificates has keys that only the owner can read', async () => {
    await write();
    const modeOf = (name: string) => statSync(join(directory, name)).mode & 0o777;
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(['ca', ...Object.keys(holders)].map((name) => modeOf(`${name}.key`))).toEqual([0o600, 0o600, 0o600]);
    expect(readdirSync(directory).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('a folder of certificates keeps certificates that are valid for 30 more days, and renews the others', async () => {
    expect((await write()).map(({ expiresAt }) => (expiresAt.getTime() - startMs) / dayMs)).toEqual([1_825, 90, 90]);
    expect(await newOf(59)).toEqual([]);
    expect(await newOf(61)).toEqual(['keys', 'gateway']);
    expect(await newOf(1_700)).toEqual(['keys', 'gateway']);
    expect(await newOf(1_740)).toEqual(['ca', 'keys', 'gateway']);
  });

  it('a folder of certificates gets a certificate for a new name and for a changed identity', async () => {
    await write();
    expect(
      await newOf(1, { ...holders, gateway: 'spiffe://shopscope/door', scanner: 'spiffe://shopscope/scanner' }),
    ).toEqual(['gateway', 'scanner']);
  });
});
