import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { StoreUnseen } from './store-unseen.tsx';

const textOf = (isKnown: boolean) =>
  renderToStaticMarkup(
    createElement(StoreUnseen, { unseen: { what: 'A waiting room answered.', since: '2026-11' }, isKnown }),
  ).replaceAll(/<[^>]+>/g, ' ');

it('a store that background scans skip has a notice with the month in which this began, and without a day', () => {
  expect(textOf(false)).toContain('A waiting room answered. This began in November 2026.');
  expect(textOf(false)).toContain('at most every 30 days');
  expect(textOf(true)).toContain('November 2026. The profile shows what was seen before.');
  expect(textOf(false)).not.toContain('profile');
  expect(renderToStaticMarkup(createElement(StoreUnseen, { unseen: undefined, isKnown: true }))).toBe('');
});
