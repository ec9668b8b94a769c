import { setImmediate as turn } from 'node:timers/promises';
import { ManualClock } from '@shopscope/clock';
import { type GatewayAck, GatewayReport, KeyChange, type KeyChanged } from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { createAcknowledgements } from './acknowledge-key-changes.ts';

const { SERVING, KEY_CHANGE_APPLIED, STOPPING } = GatewayReport;

/** A fake Kafka. The test decides its answers. */
function setUp(options: { maxWaiting?: number } = {}) {
  const clock = new ManualClock();
  const requests: { reports: GatewayAck[]; answer(): void; fail(): void }[] = [];
  const outcomes: [string, number][] = [];
  const acknowledgements = createAcknowledgements({
    publish: (reports) =>
      new Promise((resolve, reject) => {
        const fail = () => reject(new Error('the outcome is unknown'));
        requests.push({ reports: [...reports], answer: resolve, fail });
      }),
    instanceId: 'gateway-1',
    clock,
    onReports: (outcome, reports) => outcomes.push([outcome, reports]),
    onError(error) {
      throw error;
    },
    ...options,
  });
  const settle = async () => {
    for (let i = 0; i < 10; i++) await turn();
  };
  return {
    clock,
    requests,
    outcomes,
    acknowledgements,
    settle,
    change: (over: Partial<KeyChanged> = {}): KeyChanged => ({
      change: KeyChange.KEY_REVOKED,
      workspaceId: 'ws_1',
      keyId: 'key_1',
      planSlug: '',
      atMs: clock.now(),
      ...over,
    }),
    async answerLast() {
      requests.at(-1)?.answer();
      await settle();
    },
    async failLast() {
      requests.at(-1)?.fail();
      await settle();
    },
    /** Waits longer than an interval, which varies by a tenth. */
    async nextInterval() {
      clock.advance(11_000);
      await settle();
    },
    /** The reports and the key of each, by request. */
    sent: () => requests.map(({ reports }) => reports.map(({ report, keyId }) => [report, keyId])),
  };
}

const serving = [SERVING, ''];
const applied = (keyId: string) => [KEY_CHANGE_APPLIED, keyId];

describe('acknowledgements', () => {
  it('the acknowledgement of a key change names the change, when it was made and when this gateway applied it', async () => {
    const { acknowledgements, change, clock, requests, answerLast, outcomes } = setUp();
    const event = change();
    clock.advance(200);
    acknowledgements.acknowledge(event);
    expect(requests.map(({ reports }) => reports)).toEqual([
      [
        {
          report: KEY_CHANGE_APPLIED,
          instanceId: 'gateway-1',
          atMs: event.atMs + 200,
          change: KeyChange.KEY_REVOKED,
          workspaceId: 'ws_1',
          keyId: 'key_1',
          changedAtMs: event.atMs,
        },
      ],
    ]);
    await answerLast();
    expect(outcomes).toEqual([['sent', 1]]);
  });

  it('an acknowledgement is sent for changes of a key or workspace up to 5 minutes ago, and not for those of a plan', async () => {
    const { acknowledgements, change, clock, sent, answerLast } = setUp();
    const limitMs = clock.now() - 300_000;
    acknowledgements.acknowledge(change({ workspaceId: '', keyId: '', planSlug: 'growth' }));
    acknowledgements.acknowledge(change({ atMs: limitMs - 1 }));
    acknowledgements.acknowledge(change({ keyId: 'key_2', atMs: limitMs }));
    acknowledgements.acknowledge(change({ keyId: '', change: KeyChange.WORKSPACE_SUSPENDED }));
    await answerLast();
    expect(sent()).toEqual([[applied('key_2')], [applied('')]]);
  });

  it('an acknowledgement waits while a request to Kafka runs, and then goes with all others that wait', async () => {
    const { acknowledgements, change, sent, answerLast } = setUp();
    for (const keyId of ['key_1', 'key_2', 'key_3']) acknowledgements.acknowledge(change({ keyId }));
    await answerLast();
    expect(sent()).toEqual([[applied('key_1')], [applied('key_2'), applied('key_3')]]);
  });

  it('an acknowledgement waits up to 5 minutes for Kafka, and goes with the next report that the gateway serves', async () => {
    const { acknowledgements, change, clock, sent, answerLast, failLast, nextInterval, outcomes } = setUp();
    acknowledgements.startServing();
    await failLast();
    acknowledgements.acknowledge(change({ keyId: 'old', atMs: clock.now() - 290_000 }));
    await failLast();
    acknowledgements.acknowledge(change({ keyId: 'new' }));
    await failLast();
    await nextInterval();
    await failLast();
    await nextInterval();
    await answerLast();
    expect(sent()).toEqual([
      [serving],
      [applied('old')],
      [applied('old'), applied('new')],
      [applied('old'), applied('new'), serving],
      [applied('new'), serving],
    ]);
    expect(outcomes.at(-1)).toEqual(['sent', 2]);
  });

  it('an acknowledgement is dropped and counted when too many wait, the oldest first', async () => {
    const { acknowledgements, change, sent, failLast, answerLast, outcomes } = setUp({ maxWaiting: 2 });
    for (const keyId of ['key_1', 'key_2', 'key_3', 'key_4']) acknowledgements.acknowledge(change({ keyId }));
    await failLast();
    expect(outcomes).toEqual([
      ['dropped', 1],
      ['failed', 1],
      ['dropped', 1],
    ]);
    acknowledgements.acknowledge(change({ keyId: 'key_5' }));
    await answerLast();
    expect(sent()).toEqual([[applied('key_1')], [applied('key_4'), applied('key_5')]]);
  });
});

describe('reports of serving', () => {
  it('a gateway reports that it serves at once and every 10 s, and reports when it stops', async () => {
    const { acknowledgements, clock, sent, settle, answerLast, nextInterval } = setUp();
    acknowledgements.startServing();
    await answerLast();
    clock.advance(8_999);
    await settle();
    expect(sent()).toEqual([[serving]]);
    await nextInterval();
    await answerLast();
    const stopped = acknowledgements.stop();
    await settle();
    await answerLast();
    await stopped;
    expect(sent()).toEqual([[serving], [serving], [[STOPPING, '']]]);
  });

  it('a gateway reports that it stops also after a request to Kafka that failed during the stop', async () => {
    const { acknowledgements, change, sent, settle, failLast, answerLast } = setUp();
    acknowledgements.startServing();
    await answerLast();
    acknowledgements.acknowledge(change());
    const stopped = acknowledgements.stop();
    await settle();
    await failLast();
    await answerLast();
    await stopped;
    expect(sent()).toEqual([[serving], [applied('key_1')], [applied('key_1'), [STOPPING, '']]]);
  });

  it('a gateway does not report that it stops when it has never served', async () => {
    const { acknowledgements, requests } = setUp();
    await acknowledgements.stop();
    expect(requests).toEqual([]);
  });
});
