import type { AddressInfo } from 'node:net';
import { systemClock } from '@shopscope/clock';
import { silentTelemetry } from '@shopscope/testing';
import express from 'express';
import { expect, it } from 'vitest';
import { createPageLimits, defaultPageLimits } from '../../app/domain/page-limits.ts';
import { createRefuse, type FailurePage } from '../../app/inbound/refuse-request.ts';
import { createSendFailure } from '../../app/inbound/send-failure.ts';
import { createQueues } from '../../app/outbound/request-queue.ts';
import { createPageCache } from '../outbound/page-cache.ts';
import { type PublicPagesOptions, servePublicPages } from './public-pages.ts';

const failurePage: FailurePage = ({ status, message, isRefused = false }) => `${status} ${isRefused} ${message}`;

/** The answer about a public page. */
async function ask(options: Pick<PublicPagesOptions, 'render' | 'throttle'>) {
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  app.use((_request, response, next) => {
    const origin = { requestId: 'req_test', traceparent: '', environment: 'live' as const };
    Object.assign(response.locals, { address: '203.0.113.7', origin, host: new URL(url).host });
    next();
  });
  app.use(
    servePublicPages({
      siteUrl: url,
      dashboardUrl: url,
      ...options,
      cache: createPageCache({ nowMs: () => 0 }),
      logger: silentTelemetry().logger,
      onResult() {},
      queue: createQueues(systemClock).work,
      pageLimits: createPageLimits(defaultPageLimits),
      failurePage,
      refuse: createRefuse({ failurePage, onRefused() {} }),
      sendFailure: createSendFailure({ failurePage, logger: silentTelemetry().logger }),
    }),
  );
  const response = await fetch(`${url}/docs`);
  const answer = { status: response.status, headers: response.headers, html: await response.text() };
  await new Promise((resolve) => server.close(resolve));
  return answer;
}

it.each([
  ['that fails', '503 false The page failed.', '1', { allows: async () => true }],
  [
    'beyond the limit',
    '429 true There were too many requests from your network. Nothing was changed. Open the page again in 60 seconds.',
    '60',
    { allows: async () => false },
  ],
])('a request for a public page %s gets a failure page that has the time to wait and is not cached', async (...row) => {
  const [, text, retryAfter, throttle] = row;
  const answer = await ask({ throttle, render: () => Promise.reject(new Error('a defect')) });
  expect([answer.status, answer.html]).toEqual([Number.parseInt(text, 10), text]);
  expect([answer.headers.get('cache-control'), answer.headers.get('retry-after')]).toEqual(['no-store', retryAfter]);
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
});
