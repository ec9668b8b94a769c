import { readFileSync } from 'node:fs';
import { ManualClock } from '@shopscope/clock';
import { scopes } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presets } from '../../src/domain/scope.ts';
import { actor, createHarness, digestOf, type KeysClient, type KeysHarness, newKey, newWorkspace } from './harness.ts';

describe('scopes of a key', () => {
  let harness: KeysHarness;
  let client: KeysClient;
  let workspaceId: string;

  beforeAll(async () => {
    harness = await createHarness('scopes', new ManualClock());
    client = (await harness.start()).client;
    workspaceId = await newWorkspace(client);
  });
  afterAll(() => harness?.stop());

  /** Creates a key and returns its scopes, which VerifyKey, GetKey and ListKeys must show alike. */
  const carriedBy = async (over: { preset: string; scopes: string[] }) => {
    const { id, secret } = await newKey(client, workspaceId, over);
    const shown = [
      (await client.verifyKey(digestOf(secret))).key,
      (await client.getKey({ workspaceId, keyId: id })).key,
      (await client.listKeys({ workspaceId, includeInactive: false })).keys.find((key) => key.id === id),
    ].map((key) => key?.scopes);
    expect(shown).toEqual([shown[0], shown[0], shown[0]]);
    return shown[0];
  };

  /** The presets of the contract, written out here so that a change of the code does not change them. */
  const contractPresets: [preset: string, carried: string[]][] = [
    ['read_only', ['read:stores', 'read:signals', 'read:watchlists', 'read:webhooks', 'read:jobs']],
    [
      'read_and_watch',
      [
        'read:stores',
        'read:signals',
        'read:watchlists',
        'write:watchlists',
        'read:webhooks',
        'write:webhooks',
        'read:jobs',
      ],
    ],
    [
      'full',
      [
        'read:stores',
        'read:signals',
        'write:scans',
        'read:watchlists',
        'write:watchlists',
        'read:webhooks',
        'write:webhooks',
        'read:jobs',
      ],
    ],
    ['partner', ['read:stores']],
  ];
  it.each(contractPresets)(
    'a key of the preset %s carries exactly the scopes of that preset',
    async (preset, carried) => {
      expect(await carriedBy({ preset, scopes: [] })).toEqual(carried);
      const setUp = { name: `Set up ${preset}`, planSlug: 'free', label: 'first', preset, scopes: [], actor };
      expect((await client.setUpWorkspace(setUp)).key?.scopes).toEqual(carried);
    },
  );

  it('the presets of this service are those of the contract, in its order', () => {
    expect(Object.keys(presets)).toEqual(contractPresets.map(([preset]) => preset));
  });

  it.each(scopes)('a key of the scope %s alone carries exactly this scope', async (scope) => {
    expect(await carriedBy({ preset: '', scopes: [scope] })).toEqual([scope]);
  });

  it('a key carries listed scopes once each, in the order of the contract', async () => {
    const listed = ['read:jobs', 'read:stores', 'read:jobs', 'write:scans', 'read:stores'];
    expect(await carriedBy({ preset: '', scopes: listed })).toEqual(['read:stores', 'write:scans', 'read:jobs']);
    expect(await carriedBy({ preset: '', scopes: [...scopes].reverse() })).toEqual(scopes);
  });

  it.each([
    ['with a preset and scopes', { preset: 'full', scopes: ['read:stores'] }],
    ['with neither a preset nor scopes', { preset: '', scopes: [] }],
    ['with a scope that is not of the contract', { preset: '', scopes: ['read:stores', 'read:everything'] }],
  ])('a key %s is refused by the name scopes, and is not created', async (_, over) => {
    const count = () => harness.db.collection('keys').countDocuments();
    const before = await count();
    await expect(newKey(client, workspaceId, over)).rejects.toMatchObject({
      code: 'invalid_request',
      publicMessage: expect.stringMatching(/^scopes: /),
    });
    expect(await count()).toBe(before);
  });

  it('the scopes are those of the published contract, in its order, and its operations ask for no other', () => {
    const document = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'));
    expect(scopes).toEqual(
      document.components.schemas.Account.properties.key.properties.scopes.items['x-extensible-enum'],
    );
    const operations = Object.values<object>(document.paths).flatMap((path) => Object.values(path));
    expect(new Set(operations.flatMap((operation) => operation['x-scope'] ?? []))).toEqual(new Set(scopes));
  });
});
