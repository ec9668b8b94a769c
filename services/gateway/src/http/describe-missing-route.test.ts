import { expect, it } from 'vitest';
import { operations } from '../endpoints/endpoints.ts';
import { describeMissingRoute } from './describe-missing-route.ts';
import { indexOperations } from './operation-index.ts';

const index = indexOperations(operations);
const messageOf = (method: string, path: string) => describeMissingRoute(index, method, path);

it.each([
  ['POST', '/v1/account', 'POST is not served on /v1/account; this path has GET and HEAD.'],
  ['OPTIONS', '/v1/usage', 'OPTIONS is not served on /v1/usage; this path has GET and HEAD.'],
  ['GET', '/v1/stores/enrich', 'GET is not served on /v1/stores/enrich; this path has POST.'],
  ['HEAD', '/v1/stores/enrich', 'HEAD is not served on /v1/stores/enrich; this path has POST.'],
  ['DELETE', '/v1/lists', 'DELETE is not served on /v1/lists; this path has GET, HEAD and POST.'],
  ['PUT', '/v1/stores/shop.example', 'PUT is not served on /v1/stores/shop.example; this path has GET and HEAD.'],
])('the message of %s %s names the methods of the path', (method, path, message) => {
  expect(messageOf(method, path)).toBe(message);
});

it.each([
  ['/v1/account/', 'Write the path without a trailing slash: /v1/account'],
  ['/v1/', 'Write the path without a trailing slash: /v1'],
  ['/v1//account', 'Write the path without a doubled slash: /v1/account'],
  ['//v1///account//', 'Write the path without a doubled slash: /v1/account'],
  ['//', 'Write the path without a doubled slash: /'],
  ['/v1/stores/shop.example/', 'Write the path without a trailing slash: /v1/stores/shop.example'],
])('the message of %s has the path with the correct slashes', (path, message) => {
  expect(messageOf('GET', path)).toBe(message);
});

it.each([
  ['https://shop.example/path', 'https%3A%2F%2Fshop.example%2Fpath'],
  ['https:/shop.example/path', 'https%3A%2F%2Fshop.example%2Fpath'],
  // Python's urllib.parse.quote does not encode slashes.
  ['https%3A//shop.example/path', 'https%3A%2F%2Fshop.example%2Fpath'],
  ['https%3a/shop.example', 'https%3A%2F%2Fshop.example'],
  ['HTTP://shop.example', 'HTTP%3A%2F%2Fshop.example'],
  ['https://shop.example/a%20b/', 'https%3A%2F%2Fshop.example%2Fa%20b%2F'],
  ['https://history', 'https%3A%2F%2Fhistory'],
  ['shop.example/products/1', 'shop.example%2Fproducts%2F1'],
])('the message of /v1/stores/%s has the percent-encoded path, which has an operation', (sent, segment) => {
  const message = messageOf('GET', `/v1/stores/${sent}`);
  expect(message).toBe(`A domain or URL is one segment of the path; percent-encode it: /v1/stores/${segment}`);
  expect(index.find('GET', `/v1/stores/${segment}`)?.operation.id).toBe('getStore');
});

it('the message of any other path names GET /v1, which lists the paths', () => {
  expect(messageOf('GET', '/v1/nowhere')).toBe('There is no path /v1/nowhere; GET /v1 lists those that are served.');
  expect(messageOf('GET', '*')).toBe('There is no path *; GET /v1 lists those that are served.');
});

it('the message repeats the path of the caller cut and escaped', () => {
  const hostile = `/v1/\u009b31m\u00ad${'x'.repeat(10_000)}`;
  for (const path of [
    hostile,
    `/v1/stores/https://${hostile}`,
    `${hostile}/`,
    '/'.repeat(10_000),
    '/v1/stores/https://%ZZ',
  ]) {
    const message = messageOf('GET', path);
    expect(message.length, path.slice(0, 30)).toBeLessThan(350);
    expect(message).not.toMatch(/[\p{C}]/u);
  }
  expect(messageOf('GET', '/v1/stores/https://%ZZ')).toContain('/v1/stores/https%3A%2F%2Fshop.example%2F');
});
