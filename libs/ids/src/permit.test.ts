import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createPermitSigner,
  createPermitVerifier,
  developmentPublicKeys,
  developmentSigningKey,
  isDevelopmentKey,
  type PermitSigningKey,
  parsePublicKeys,
  parseSigningKey,
  publicKeyEntry,
} from './permit.ts';

const keyOf = (id: string): PermitSigningKey => ({ id, privateKey: generateKeyPairSync('ed25519').privateKey });
const old = keyOf('1');
const current = keyOf('2');
const observation = { scanId: 'scan_1', domain: 'shop.example', sequence: 7 };
const verifierOf = (...keys: PermitSigningKey[]) =>
  createPermitVerifier(parsePublicKeys(keys.map((key) => publicKeyEntry('scan-scheduler', key)).join(',')).keys);
const permitOf = (key: PermitSigningKey, over: Partial<typeof observation> = {}) =>
  createPermitSigner('scan-scheduler', key)({ ...observation, ...over }, 1_000);
const valid = { principal: 'scan-scheduler', expiresAtMs: 1_000 };

describe('a permit', () => {
  it('a permit is valid for its own observation and names its principal and expiry', async () => {
    expect(await verifierOf(current)(permitOf(current), observation)).toEqual(valid);
  });

  it.each([
    { scanId: 'scan_2' },
    { domain: 'other.example' },
    { sequence: 8 },
    // The same characters, in other fields.
    { scanId: 'scan_1shop', domain: '.example' },
    { scanId: 'scan_1shop.exampl', domain: 'e' },
  ])('a permit is not valid for another observation: %o', async (over) => {
    expect(await verifierOf(current)(permitOf(current), { ...observation, ...over })).toEqual({ fault: 'mismatch' });
  });

  it.each([
    ['principal', '1.replay.2.', 'unknown_key'],
    ['key id', '1.scan-scheduler.1.', 'mismatch'],
    ['expiry', '1.scan-scheduler.2.2', 'mismatch'],
    ['version', '2.scan-scheduler.2.', 'malformed'],
  ])('a permit is not valid with another %s', async (_, start, fault) => {
    const rest = permitOf(current).split('.').slice(3).join('.');
    expect(await verifierOf(old, current)(start + rest, observation)).toEqual({ fault });
  });

  it.each(['', '1', '....', 'x'.repeat(10_000), `1.scan-scheduler.2.01.${'A'.repeat(86)}`])(
    'a permit is malformed as other text: %#',
    async (text) => {
      expect(await verifierOf(current)(text, observation)).toEqual({ fault: 'malformed' });
    },
  );

  it('a permit is valid with each of several keys, and no longer with a removed key', async () => {
    const both = verifierOf(old, current);
    expect([await both(permitOf(old), observation), await both(permitOf(current), observation)]).toEqual([
      valid,
      valid,
    ]);
    expect(await verifierOf(current)(permitOf(old), observation)).toEqual({ fault: 'unknown_key' });
  });
});

describe('keys of permits', () => {
  const secret = Buffer.alloc(32, 7).toString('base64');

  it('the public key of a signing key in the configuration verifies what it signs', async () => {
    const parsed = parseSigningKey(`a1:${secret}\n`);
    if (!('key' in parsed)) throw new Error(parsed.problem);
    expect(await verifierOf(parsed.key)(permitOf(parsed.key), observation)).toEqual(valid);
  });

  it.each(['', secret, `:${secret}`, `UPPER:${secret}`, 'a1:short', `a1:${secret}=`, `a1:${secret}:more`])(
    'an invalid signing key is refused without its text: %#',
    (text) => {
      const parsed = parseSigningKey(text);
      expect(parsed).toEqual({ problem: expect.stringMatching(/^must be id:key, /) });
      expect(JSON.stringify(parsed)).not.toContain(secret);
    },
  );

  it('invalid entries of public keys are named by their position', () => {
    const entry = publicKeyEntry('scan-scheduler', current);
    expect(parsePublicKeys(`${entry}\nscanner:1:${secret},${entry}, replay:1:short`).problems).toEqual([
      'entry 2 must be principal:id:key, with a principal out of scan-scheduler, replay and 32 bytes in base64',
      'entry 3 has the principal and the id of an earlier entry',
      'entry 4 must be principal:id:key, with a principal out of scan-scheduler, replay and 32 bytes in base64',
    ]);
    expect(parsePublicKeys(' ,').problems).toEqual(['must have at least one entry principal:id:key']);
  });

  it('the keys of development systems are recognised, private and public', () => {
    expect(isDevelopmentKey(developmentSigningKey('replay').privateKey)).toBe(true);
    expect(developmentPublicKeys().every(({ publicKey }) => isDevelopmentKey(publicKey))).toBe(true);
    expect(isDevelopmentKey(current.privateKey)).toBe(false);
  });
});
