import { describe, expect, it } from 'vitest';
import { createSearchSystem } from '../../test/support/search-system.ts';
import { createStateDocuments } from '../outbound/opensearch/state-documents.ts';
import { findEdition } from './search-edition.ts';

describe('an edition', () => {
  it('the engine gets no more time to find an edition than the caller has left', async () => {
    const limits: unknown[] = [];
    const client = {
      async get(_: object, { requestTimeout }: { requestTimeout?: number } = {}) {
        limits.push(requestTimeout);
        throw new Error('the engine does not answer');
      },
    };
    const states = createStateDocuments({ client, indexPrefix: '' } as never);
    const deps = { ...createSearchSystem().instance('a'), states };
    await expect(findEdition(deps as never, '', { timeoutMs: () => 730.4 })).rejects.toThrow();
    expect(limits).toEqual([730]);
  });
});
