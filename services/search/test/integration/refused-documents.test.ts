import type { GrpcClient } from '@shopscope/grpc';
import type { RunningService } from '@shopscope/lifecycle';
import type { SearchServiceService } from '@shopscope/proto';
import { waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editionWith, queryOf, type SearchSystem, startSearchSystem, walk } from './harness.ts';

/** The engine accepts keywords of at most 32,766 bytes. */
const tooLong = 'x'.repeat(33_000);
/** The largest number of products that an observation can have. */
const largest = 2 ** 32 - 1;

let system: SearchSystem;
let service: RunningService;
let search: GrpcClient<typeof SearchServiceService>;

beforeAll(async () => {
  system = await startSearchSystem('refused');
  for (const domain of ['a.example', 'b.example', 'c.example']) system.profiles.merge(domain);
  system.profiles.merge('largest.example', { products: largest });
  system.profiles.merge('refused.example', { technologies: [tooLong] });
  service = await system.start();
  search = system.client(service);
});
afterAll(() => system?.stop());

const domains = async (query = queryOf()) => (await walk(search, { query })).rows.map(({ domain }) => domain);

describe('documents that the engine does not accept', () => {
  it('an index is filled with all stores but the one whose document the engine does not accept', async () => {
    await editionWith(search, 4);
    expect(await domains()).toEqual(['a.example', 'b.example', 'c.example', 'largest.example']);
  });

  it('a store with the largest number of products that an observation can have is found', async () => {
    expect(await domains(queryOf({ products: { min: 1_000 } }))).toEqual(['largest.example']);
  });

  it('updates go on behind an update whose document the engine does not accept, and that one becomes a dead letter', async () => {
    await system.publish(
      ...['d.example', 'e.example'].map((domain) => ({ domain, profileSequence: system.profiles.merge(domain) })),
      {
        domain: 'refused.example',
        profileSequence: system.profiles.merge('refused.example', { technologies: [tooLong] }),
      },
      ...['f.example', 'g.example'].map((domain) => ({ domain, profileSequence: system.profiles.merge(domain) })),
    );
    await waitUntil('the dead letter', async () => (await system.deadLetters()) === 1);
    await system.settled(service);
    await editionWith(search, 8);
    expect(await domains()).not.toContain('refused.example');
  });
});
