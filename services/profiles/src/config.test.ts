import { generateKeyPairSync } from 'node:crypto';
import { developmentSigningKey, isDevelopmentKey, publicKeyEntry } from '@shopscope/ids';
import { expect, it } from 'vitest';
import { loadConfig, permitPublicKeys } from './config.ts';

const needed = {
  HOST: '127.0.0.1',
  MONGODB_URL: 'mongodb://127.0.0.1',
  KAFKA_BROKERS: '127.0.0.1:9092',
  PUBLIC_SITE_URL: 'https://site.example',
};
const { privateKey } = generateKeyPairSync('ed25519');
const own = publicKeyEntry('scan-scheduler', { id: '1', privateKey });

it.each([
  [{}, 'PERMIT_PUBLIC_KEYS: is required in production'],
  [{ PERMIT_PUBLIC_KEYS: 'scan-scheduler:1:short' }, 'PERMIT_PUBLIC_KEYS: entry 1 must be principal:id:key'],
  [
    { PERMIT_PUBLIC_KEYS: publicKeyEntry('replay', { id: '1', privateKey }) },
    'PERMIT_PUBLIC_KEYS: must have a key of scan-scheduler',
  ],
  [
    { PERMIT_PUBLIC_KEYS: `${own},${publicKeyEntry('replay', developmentSigningKey('replay'))}` },
    'PERMIT_PUBLIC_KEYS: entry 2 is public, so production refuses it',
  ],
])('production refuses wrong settings of permits: %#', (env: Record<string, string>, problem) => {
  expect(() => loadConfig({ ...needed, ...env })).toThrow(problem);
});

it('replay has a key only outside production, unless it is configured', () => {
  const production = loadConfig({ ...needed, PERMIT_PUBLIC_KEYS: own });
  expect(permitPublicKeys(production).map(({ principal }) => principal)).toEqual(['scan-scheduler']);
  const development = permitPublicKeys(loadConfig({ ...needed, SHOPSCOPE_ENV: 'development' }));
  expect(development.map(({ principal }) => principal)).toEqual(['scan-scheduler', 'replay']);
  expect(development.every(({ publicKey }) => isDevelopmentKey(publicKey))).toBe(true);
});
