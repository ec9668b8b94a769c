import type { AddressInfo } from 'node:net';
import { silentTelemetry } from '@shopscope/testing';
import express from 'express';
import { expect, it } from 'vitest';
import { createPageCache } from '../../outbound/memory/page-cache.ts';
import { type PublicPagesOptions, servePublicPages } from './public-pages.ts';

/** The answer about a public page. */
async function ask(options: Pick<PublicPagesOptions, 'render' | 'throttle'>) {
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  app.use((_request, response, next) => {
    Object.assign(response.locals, { address: '203.0.113.7', origin: { requestId: 'req_test', traceparent: '' } });
    next();
  });
  app.use(
    servePublicPages({
      ...{ siteUrl: url, dashboardUrl: url, ...options },
      ...{ cache: createPageCache({ nowMs: () => 0 }), logger: silentTelemetry().logger, onResult() {} },
    }),
  );
  const response = await fetch(`${url}/docs`);
  const answer = { status: response.status, headers: response.headers, html: await response.text() };
  await new Promise((resolve) => server.close(resolve));
  return answer;
}

it.each([
  ['that fails', 503, 'This page is not available right now', { allows: async () => true }],
  ['beyond the limit', 429, 'Too many requests', { allows: async () => false }],
])(
  'a request %s gets a page with the state as title and heading, which is neither kept nor indexed',
  async (...row) => {
    const [, status, state, throttle] = row;
    const answer = await ask({ throttle, render: () => Promise.reject(new Error('a defect')) });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'no-store']);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(answer.html).toContain(`<title>${state} · Shopscope</title>`);
    expect(answer.html).toContain(`<h1>${state}</h1>`);
    expect(answer.html).toContain('<meta name="robots" content="noindex">');
  },
);
