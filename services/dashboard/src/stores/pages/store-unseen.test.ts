import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { StoreUnseen } from './store-unseen.tsx';

const textOf = (isKnown: boolean) =>
  renderToStaticMarkup(
    createElement(StoreUnseen, { unseen: { what: 'A waiting room answered.', since: '2026-11' }, isKnown }),
  ).replaceAll(/<[^>]+>/g, ' ');

it('a store that rests is said to be scanned rarely, with the month since when and without a day', () => {
  expect(textOf(false)).toContain('A waiting room answered. That was first so in November 2026.');
  expect(textOf(false)).toContain('at most every 30 days');
  expect(textOf(true)).toContain('November 2026. The profile shows what was seen before.');
  expect(textOf(false)).not.toContain('profile');
  expect(renderToStaticMarkup(createElement(StoreUnseen, { unseen: undefined, isKnown: true }))).toBe('');
});
