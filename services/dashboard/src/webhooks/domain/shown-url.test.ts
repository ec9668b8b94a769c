import { expect, it } from 'vitest';
import { shownUrl } from './shown-url.ts';

it('the name of an endpoint has no query, and at most 39 characters', () => {
  expect(shownUrl('https://a.example/hook?token=secret#x')).toBe('https://a.example/hook');
  expect(shownUrl(`https://a.example/${'x'.repeat(100)}`)).toMatch(/^https:\/\/a\.example\/x{20}…$/);
});
