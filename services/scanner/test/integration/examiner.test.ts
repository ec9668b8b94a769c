import { gunzipSync } from 'node:zlib';
import { systemClock } from '@shopscope/clock';
import { silentTelemetry, waitUntil } from '@shopscope/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { HomeInput } from '../../src/domain/examination.ts';
import { NotExaminableError } from '../../src/domain/reasons.ts';
import { createMetrics } from '../../src/metrics.ts';
import {
  type Examiner,
  type ExaminerOptions,
  examinerEntry,
  startExaminer,
} from '../../src/outbound/examiner/examiner.ts';
import { hostileListing } from './support/hostile-listing.ts';
import { shopPage } from './support/hostile-server.ts';

const neverAborted = new AbortController().signal;
const response = (url: string, type: string, body: Uint8Array) =>
  ({ url, status: 200, headers: { 'content-type': type }, setCookies: [], body, ending: 'whole' }) as const;

function inputOf(listing?: Buffer): HomeInput {
  const page = response('https://shop.test/', 'text/html', Buffer.from(shopPage(5_000)));
  const url = 'https://shop.test/products.json?limit=250&page=1';
  const resources = listing ? [response(url, 'application/json', gunzipSync(listing))] : [];
  return { domain: 'shop.test', visit: { page, resources, dns: {}, certificate: undefined } };
}

describe('the examiner', () => {
  let examiner: Examiner;
  let registry: ReturnType<typeof silentTelemetry>['registry'];
  afterEach(() => examiner.stop());

  const start = (options: Partial<ExaminerOptions> = {}) => {
    const telemetry = silentTelemetry('scanner');
    registry = telemetry.registry;
    examiner = startExaminer({
      entry: examinerEntry,
      scanCpuMs: 60_000,
      maxMemoryMb: 400,
      clock: systemClock,
      metrics: createMetrics(registry),
      logger: telemetry.logger,
      ...options,
    });
    return examiner;
  };
  const examine = (listing?: Buffer, abort = neverAborted) => examiner.forScan(abort)('home', inputOf(listing));
  const busy = new URL('./fixtures/busy-examiner.ts', import.meta.url);
  const robotsAllowOf = () => {
    const run = examiner.forScan(neverAborted);
    const group = { url: '', rules: [], crawlDelayMs: 0 };
    return (target: string) => run('robotsAllow', { group, target });
  };
  const ended = async (cause: string) =>
    expect(await registry.metrics()).toMatch(
      new RegExp(`scanner_examiners_ended_total\\{cause="${cause}",service="scanner"\\} 1\\n`),
    );

  it('the examiner examines pages and robots.txt in a process of its own', async () => {
    start();
    await examiner.ready();
    expect((await examine()).seen?.platform.slug).toBe('shopify');
    const body = Buffer.from('User-agent: *\nDisallow: /a\nCrawl-delay: 2');
    const url = 'https://shop.test/robots.txt';
    const run = examiner.forScan(neverAborted);
    const group = await run('robotsGroup', { url, body, product: 'ShopscopeBot' });
    expect(group).toEqual({ url, rules: ['disallow: /a', 'crawl-delay: 2'], crawlDelayMs: 2_000 });
    const allows = (target: string) => run('robotsAllow', { group, target });
    expect(await Promise.all([allows('https://shop.test/'), allows('https://shop.test/a')])).toEqual([true, false]);
  });

  it('contents that take too much memory end only their own examination, and later examinations succeed', async () => {
    start();
    const hostile = examine(hostileListing());
    const next = examine();
    await expect(hostile).rejects.toThrow(NotExaminableError);
    expect((await next).seen?.platform.slug).toBe('shopify');
    await ended('memory');
  });

  it('contents that take too long end only their own examination, and later examinations succeed', async () => {
    start({ scanCpuMs: 400, maxMemoryMb: 4_096 });
    const hostile = examine(hostileListing());
    const next = examine();
    await expect(hostile).rejects.toThrow(new NotExaminableError('cpu'));
    expect((await next).seen?.platform.slug).toBe('shopify');
    await ended('cpu');
  });

  it('the examinations of one scan share its CPU time, and another scan has its own', async () => {
    start({ entry: busy, scanCpuMs: 500 });
    const [hostile, usual] = [robotsAllowOf(), robotsAllowOf()];
    await hostile('300');
    await expect(hostile('300')).rejects.toThrow(new NotExaminableError('cpu'));
    await usual('300');
    await ended('cpu');
  });

  it('scans that have used little CPU time do not wait for those that have used much', async () => {
    start({ entry: busy });
    const [heavy, light] = [robotsAllowOf(), robotsAllowOf()];
    await heavy('1100');
    const order: string[] = [];
    const examine = async (run: typeof heavy, name: string) => {
      await run('0');
      order.push(name);
    };
    const inProgress = heavy('10');
    await Promise.all([inProgress, examine(heavy, 'heavy'), examine(light, 'light'), examine(light, 'light')]);
    expect(order).toEqual(['light', 'light', 'heavy']);
  });

  it('an examiner process that gets no CPU time is a defect of the scanner, not of the contents', async () => {
    start({ entry: busy, scanCpuMs: 100 });
    await expect(robotsAllowOf()('suspended')).rejects.toThrow('the examiner process ended: stalled');
    await ended('stalled');
  });

  it('an examiner process that something else ends is a defect of the scanner, not of the contents', async () => {
    start({ entry: new URL('./fixtures/killed-examiner.ts', import.meta.url) });
    await expect(examine()).rejects.toThrow('the examiner process ended: crash');
    await ended('crash');
    await examiner.ready();
  });

  it('an examiner process that does not start is started again, and is not available', async () => {
    start({ entry: new URL('./fixtures/missing.ts', import.meta.url) });
    await waitUntil('a second start', async () =>
      /ended_total\{cause="start",service="scanner"\} [2-9]/.test(await registry.metrics()),
    );
    expect(examiner.available).toBe(false);
  });

  it('an aborted scan leaves the queue of the examiner with the reason of its abort', async () => {
    start();
    const abort = new AbortController();
    const first = examine();
    const waiting = examine(undefined, abort.signal);
    abort.abort(new Error('the lease was lost'));
    await expect(waiting).rejects.toThrow('the lease was lost');
    expect((await first).seen?.platform.slug).toBe('shopify');
    expect(await registry.metrics()).toMatch(/examination_duration_seconds_count\{service="scanner",kind="home"\} 1\n/);
  });

  it('a stop of the examiner ends the process and what it examines', async () => {
    start({ maxMemoryMb: 4_096 });
    await examiner.ready();
    const hostile = examine(hostileListing());
    const stopped = expect(hostile).rejects.toThrow('the examiner is stopping');
    await examiner.stop();
    await stopped;
    await expect(examine()).rejects.toThrow('the examiner is stopping');
    expect(examiner.available).toBe(false);
  });
});
