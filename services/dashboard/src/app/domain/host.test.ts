import { expect, it } from 'vitest';
import { canonicalHost, splitAbsoluteTarget } from './host.ts';

it.each([
  ['Shopscope.Example', 'https:', 'shopscope.example'],
  ['shopscope.example:443', 'https:', 'shopscope.example'],
  ['shopscope.example:443', 'http:', 'shopscope.example:443'],
  ['127.0.0.1:8090', 'http:', '127.0.0.1:8090'],
  ['[::1]:8090', 'http:', '[::1]:8090'],
])('canonicalHost returns one form of the Host %s', (text, protocol, host) => {
  expect(canonicalHost(text, protocol)).toBe(host);
});

it.each([
  '',
  ' ',
  'a b',
  'user@shopscope.example',
  'shopscope.example/',
  'shopscope.example?',
  'a:99999',
  'a:',
  '[',
  'ä',
])('canonicalHost returns nothing for the text "%s", which is not a host', (text) => {
  expect(canonicalHost(text, 'http:')).toBeUndefined();
});

it.each([
  ['http://a.example/b?c', 'a.example', '/b?c'],
  ['HTTPS://a.example', 'a.example', '/'],
  ['http://a.example?b', 'a.example', '/?b'],
  ['http:///b', '', '/b'],
])('a request target in absolute form names a host: %s', (target, authority, rest) => {
  expect(splitAbsoluteTarget(target)).toEqual({ authority, rest });
});

it.each(['/b', '//a.example', '*', 'a.example:80', 'ftp://a.example/', ''])(
  'the request target "%s" is not in absolute form',
  (target) => {
    expect(splitAbsoluteTarget(target)).toBeUndefined();
  },
);
