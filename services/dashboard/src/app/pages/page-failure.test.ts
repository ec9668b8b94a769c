import { expect, it } from 'vitest';
import { failureMeta } from './page-failure.ts';

/** An error response as the router gives it to a page. */
const response = (status: number) => ({ status, statusText: '', internal: false, data: {} });

it.each([
  [response(404), 'There is no such page'],
  [response(429), 'Too many requests'],
  [response(500), 'Something failed'],
  [response(503), 'This page is not available right now'],
  [new Error('a defect'), 'Something failed'],
])('a page that shows a failure has it as its title and is not indexed: %o', (error, title) => {
  expect(failureMeta(error)).toEqual([{ title: `${title} · Shopscope` }, { name: 'robots', content: 'noindex' }]);
});
