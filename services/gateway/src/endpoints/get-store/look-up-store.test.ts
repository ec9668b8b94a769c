import { describe, expect, it } from 'vitest';
import type { CallerRequest } from '../../keys/caller.ts';
import { lookUpStore } from './look-up-store.ts';

describe('the look-up of a store', () => {
  const requestOf = (keyEnvironment: 'live' | 'test') =>
    ({ caller: { keyEnvironment, workspaceId: 'ws_1' } }) as unknown as CallerRequest;

  it.each([
    ['live', 'matched.test', 'Only keys of the test environment (svc_test_…) know stores below .test.'],
    ['test', 'shop.example', 'Keys of the test environment know only stores below .test.'],
  ] as const)('a %s key that names %s is told which stores it can know', async (environment, domain, message) => {
    const profiles = { lookUp: () => Promise.reject(new Error('profiles must not be asked')) };
    const answer = lookUpStore({ profiles } as never, `https://www.${domain}/`, requestOf(environment));
    await expect(answer).rejects.toMatchObject({ code: 'not_found', message });
  });

  it.each([
    ['live', 'shop.example'],
    ['test', 'unknown.test'],
  ] as const)('a %s key may look %s up', async (environment, domain) => {
    const asked: string[] = [];
    const profiles = { lookUp: async (name: string) => void asked.push(name) };
    await expect(lookUpStore({ profiles } as never, domain, requestOf(environment))).resolves.toBeUndefined();
    expect(asked).toEqual([domain]);
  });
});
