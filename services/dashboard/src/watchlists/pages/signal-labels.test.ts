import { signalTypes as ofContract } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { signalTypes } from './signal-labels.ts';

it('the form of a watchlist offers every kind of change of the contract', () => {
  expect(signalTypes).toEqual([...ofContract]);
});
