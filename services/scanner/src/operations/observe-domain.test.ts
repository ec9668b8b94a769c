import { ManualClock } from '@shopscope/clock';
import { ObservationOutcome } from '@shopscope/proto';
import { Registry } from '@shopscope/telemetry';
import { expect, it } from 'vitest';
import { type Examine, examinations } from '../domain/examination.ts';
import type { Fetched } from '../domain/page.ts';
import { NotExaminableError } from '../domain/reasons.ts';
import { createMetrics, type ScannerMetrics } from '../metrics.ts';
import type { Visit, VisitGate } from '../outbound/web/visitor.ts';
import { observeDomain, type ScanTask } from './observe-domain.ts';

const examineHere: Examine = async (kind, input) => examinations[kind](input as never) as never;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** The observation of a store whose robots.txt has a rule, and what was requested of it. */
function observe(
  examine: Examine,
  over: {
    clock?: ManualClock;
    checkLease?: () => Promise<void>;
    admit?: ScanTask['admit'];
    metrics?: ScannerMetrics;
    home?: string;
  } = {},
) {
  const requests: string[] = [];
  const response = (url: URL): Fetched => ({
    url: url.href,
    status: 200,
    headers: { 'content-type': url.pathname === '/' ? 'text/html' : 'text/plain' },
    setCookies: [],
    body: Buffer.from(
      url.pathname === '/robots.txt'
        ? 'User-agent: *\nDisallow: /a'
        : (over.home ?? '<title>Shop</title><h1>Teas of the mountains</h1>'),
    ),
    ending: 'whole',
  });
  const visitOf = (abort: AbortSignal, { admit }: VisitGate): Visit => ({
    isTestHost: () => true,
    cookiesFor: () => '',
    query: async () => [],
    certificateOf: () => undefined,
    close: async () => {},
    fetch: async (url) => {
      await admit(url.hostname, ['127.0.0.1']);
      abort.throwIfAborted();
      requests.push(url.pathname);
      return response(url);
    },
  });
  const bounds = { scanMs: 1_000, maxPageBytes: 1_000, maxListingBytes: 1_000, maxFurtherPageBytes: 1_000 };
  const observation = observeDomain(
    {
      visitor: { begin: visitOf },
      examiner: { forScan: () => examine },
      clock: over.clock ?? new ManualClock(),
      bounds,
      metrics: over.metrics ?? createMetrics(new Registry()),
      product: 'ShopscopeBot',
    },
    {
      scanId: 'scan-1',
      domain: 'shop.test',
      sequence: 1,
      checkLease: over.checkLease ?? (async () => {}),
      admit: over.admit ?? (async () => {}),
    },
    new AbortController().signal,
  );
  return { observation, requests };
}

it.each(['robotsGroup', 'robotsAllow', 'home', 'site'])(
  'a scan ends without a further request when its contents cannot be examined at the step %s, and gives this reason',
  async (step) => {
    let failedAt: number | undefined;
    const { observation, requests } = observe(async (kind, input) => {
      if (kind !== step) return examineHere(kind, input);
      failedAt = requests.length;
      throw new NotExaminableError('cpu');
    });
    expect(await observation).toMatchObject({
      outcome: ObservationOutcome.REFUSED,
      reason: 'not_examinable',
      statusState: '',
      coverageNote: 'The site could not be examined.',
    });
    expect(requests).toHaveLength(failedAt ?? -1);
  },
);

it('a scan that waits long for the examiner keeps its lease and its time, and is not a failure of the store', async () => {
  const clock = new ManualClock();
  const queue = Promise.withResolvers<void>();
  let renewals = 0;
  const { observation } = observe(
    async (kind, input) => {
      if (kind === 'robotsGroup') await queue.promise;
      return examineHere(kind, input);
    },
    {
      clock,
      checkLease: async () => {
        renewals += 1;
      },
    },
  );
  await turn();
  const before = renewals;
  for (let seconds = 0; seconds < 60; seconds++) clock.advance(1_000);
  expect(renewals - before).toBe(12);
  queue.resolve();
  expect(await observation).toMatchObject({ outcome: ObservationOutcome.OBSERVED, reason: '' });
});

it('a scan that waits long for the admission of a request keeps its lease and its time, and is not a failure of the store', async () => {
  const clock = new ManualClock();
  const admission = Promise.withResolvers<void>();
  const admitted: string[] = [];
  let renewals = 0;
  const { observation, requests } = observe(examineHere, {
    clock,
    admit: async ({ host, addresses }) => {
      admitted.push(`${host} ${addresses.join()}`);
      await admission.promise;
    },
    checkLease: async () => {
      renewals += 1;
    },
  });
  await turn();
  for (let seconds = 0; seconds < 60; seconds++) clock.advance(1_000);
  expect({ renewals, requests, admitted }).toEqual({
    renewals: 12,
    requests: [],
    admitted: ['shop.test 127.0.0.1'],
  });
  admission.resolve();
  expect(await observation).toMatchObject({ outcome: ObservationOutcome.OBSERVED, reason: '' });
  expect(admitted).toHaveLength(requests.length);
});

it('a scan counts the apps of the page that no rule knows', async () => {
  const registry = new Registry();
  const block = (app: string) => `<!-- BEGIN app block: shopify://apps/${app}/blocks/a/0a1b --><!-- END app block -->`;
  const home = `<title>Shop</title><script>Shopify.shop = "a.myshopify.com";</script><h1>Teas</h1>${block('an-app-of-nobody')}${block('another-app-of-nobody')}${block('judge-me-reviews')}`;
  await observe(examineHere, { metrics: createMetrics(registry), home }).observation;
  const text = await registry.metrics();
  expect(text).toContain('scanner_unknown_handles_sum 2');
  expect(text).toContain('scanner_unknown_handles_count 1');
});
