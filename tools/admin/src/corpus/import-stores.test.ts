import { AppError } from '@shopscope/errors';
import type { ImportObservationsRequest, ObservationCompleted } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { importStores } from './import-stores.ts';
import { parseStoreLine, type Store } from './store-line.ts';

function store(domain: string, observations = 1): Store {
  const list = Array.from({ length: observations }, (_, n) => ({
    sequence: n + 1,
    completed_at: '2026-01-01T00:00:00Z',
    outcome: 'observed',
    status: 'parked',
  }));
  return parseStoreLine(JSON.stringify({ domain, observations: list }));
}

/** Answers calls when told to, and records what runs at the same time. */
function fakeProfiles() {
  const waiting: { request: ImportObservationsRequest; answer(error?: unknown): void }[] = [];
  const sent: string[] = [];
  return {
    waiting,
    sent,
    async importObservations(request: ImportObservationsRequest) {
      for (const { domain, sequence } of request.observations) sent.push(`${domain} ${sequence}`);
      await new Promise<void>((resolve, reject) => {
        const call = {
          request,
          answer: (error?: unknown) => {
            waiting.splice(waiting.indexOf(call), 1);
            if (error) reject(error);
            else resolve();
          },
        };
        waiting.push(call);
      });
      return { merged: request.observations.length, duplicates: 0, superseded: 0, rejected: 0 };
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('import', () => {
  it('an import keeps the observations of a domain in their order, also across calls and lines', async () => {
    const profiles = fakeProfiles();
    const stores = [store('a.example', 250), store('b.example', 120), store('a.example', 3)];
    const imported = importStores({ profiles, stores, environment: '' });
    for (let ended = false; !ended; ) {
      await turn();
      const domains = profiles.waiting.flatMap(({ request }) => [
        ...new Set(request.observations.map(({ domain }) => domain)),
      ]);
      expect(domains).toEqual([...new Set(domains)]);
      ended = profiles.waiting.length === 0;
      profiles.waiting.at(-1)?.answer();
    }
    expect(await imported).toMatchObject({ stores: 3, merged: 373 });
    const ofA = profiles.sent.filter((each) => each.startsWith('a.'));
    expect(ofA).toEqual([...Array.from({ length: 250 }, (_, n) => n + 1), 1, 2, 3].map((n) => `a.example ${n}`));
  });

  it('an import reads no further stores while its calls are not answered', async () => {
    const profiles = fakeProfiles();
    let read = 0;
    const stores = (function* () {
      for (; read < 10_000; read++) yield store(`s${read}.example`);
    })();
    const abort = new AbortController();
    const imported = importStores({ profiles, stores, environment: '', abort: abort.signal });
    for (let n = 0; n < 20; n++) await turn();
    expect(read).toBeLessThan(1_000);
    abort.abort();
    for (let n = 0; n < 20; n++) {
      for (const call of [...profiles.waiting]) call.answer();
      await turn();
    }
    const { stores: done } = await imported;
    expect(done).toBe(profiles.sent.length);
  });

  it('an import ends at the first refusal, after the calls in progress', async () => {
    const profiles = fakeProfiles();
    const stores = Array.from({ length: 2_000 }, (_, n) => store(`s${n}.example`));
    const imported = importStores({ profiles, stores, environment: '' });
    const outcome = expect(imported).rejects.toThrow('not this one');
    await turn();
    const [first, ...others] = [...profiles.waiting];
    first?.answer(new AppError('invalid_request', 'not this one'));
    await turn();
    for (const call of others) call.answer();
    await outcome;
    expect(profiles.sent.length).toBeLessThan(1_000);
  });

  it('an import repeats a call while profiles is unavailable, and names the domain of an observation that profiles refuses', async () => {
    const answers = [new AppError('unavailable', 'away'), new AppError('invalid_request', 'observations[1]: no')];
    const profiles = {
      async importObservations() {
        throw answers.shift();
      },
    };
    const clock = { sleep: async () => {} };
    const stores = [store('a.example'), store('b.example')];
    const imported = importStores({ profiles, stores, environment: '', clock });
    await expect(imported).rejects.toThrow('b.example, sequence 1: no');
    expect(answers).toEqual([]);
  });

  it('an import sends no call that is larger than gRPC allows', async () => {
    const profiles = fakeProfiles();
    const large = {
      ...(store('large.example').observations[0] as ObservationCompleted),
      coverageNote: 'x'.repeat(800_000),
    };
    const stores = [1, 2, 3, 4, 5, 6, 7].map((sequence) => {
      const domain = `l${sequence}.example`;
      return { domain, observations: [{ ...large, domain }] };
    });
    const imported = importStores({ profiles, stores, environment: '' });
    await turn();
    expect(profiles.waiting.map(({ request }) => request.observations.length)).toEqual([5, 2]);
    for (const call of [...profiles.waiting]) call.answer();
    await imported;
  });
});
