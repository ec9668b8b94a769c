import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { expect, it, vi } from 'vitest';
import type { Caller } from '../../keys/caller.ts';
import { storeExample } from '../get-store/examples.ts';
import { encodeData } from './encode-data.ts';
import { planDocument } from './plan-document.ts';
import { lookUpStores } from './store-sources.ts';

const clock = new ManualClock();
const caller = {
  scopes: ['read:stores'],
  plan: { slug: 'growth', enrichBatchMax: 1_000, freshnessDays: 5 },
} as unknown as Caller;
const domains = Array.from({ length: 100 }, (_, n) => `s${n}.example`);

/** The field of a document with aliases of the store, and its value. */
async function readStores(aliases: number) {
  const inner = Array.from({ length: aliases }, (_, n) => `a${n}: store { name }`).join(' ');
  const plan = planDocument(
    { query: `query ($d: [String!]!) { stores(domains: $d) { ${inner} } }`, variables: { d: domains } },
    caller,
  );
  const body = Buffer.from(JSON.stringify(storeExample));
  const lookUpMany = async () => domains.map(() => ({ body, etag: '"e"', lastCompletedScanAtMs: clock.now() }));
  const request = { caller, origin: {}, deadline: createDeadline(1_000, { clock }) } as never;
  const { resultOf } = await lookUpStores({ profiles: { lookUpMany }, clock } as never, request, domains);
  return plan.fields.map(({ selected }) => ({ selected, value: domains.map(resultOf) }));
}

it('the body of a store is parsed once, however many aliases select it', async () => {
  const fields = await readStores(40);
  const parse = vi.spyOn(JSON, 'parse');
  await encodeData(fields, { clock, deadline: createDeadline(1_000, { clock }) });
  expect(parse).toHaveBeenCalledTimes(domains.length);
  parse.mockRestore();
});

it('the encoding of a document ends when its deadline has passed or its caller has disconnected', async () => {
  const fields = await readStores(1);
  const ticking = {
    monotonicMs: () => {
      clock.advance(5);
      return clock.monotonicMs();
    },
  };
  await expect(encodeData(fields, { clock: ticking, deadline: createDeadline(50, { clock }) })).rejects.toThrow(
    'took too long',
  );
  const left = createDeadline(60_000, { clock });
  left.cancel();
  await expect(encodeData(fields, { clock: ticking, deadline: left })).rejects.toThrow();
});
