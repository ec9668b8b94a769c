import { expect, it } from 'vitest';
import { maskedDomain } from './masked-domain.ts';

it.each([
  ['nordic-shop.example', 'no***.example'],
  ['nordic.co.example', 'no***.co.example'],
  ['candles.myshopify.com', 'ca***.myshopify.com'],
  ['xn--bcher-kva.example', 'xn***.example'],
  ['shop.example', '***.example'],
  ['x.example', '***.example'],
])('the domain %s is shown as %s', (domain, masked) => {
  expect(maskedDomain(domain)).toBe(masked);
});
