import { expect, it } from 'vitest';
import { domainOf, kindOf, kindOfDomain, storeKinds } from './scan-kinds.ts';

it('a tenth of the stores of the scan row is slow, hostile or dead, with every kind among five hundred stores', () => {
  const kinds = Array.from({ length: 500 }, (_, store) => kindOf(store));
  expect(kinds.filter((kind) => kind === 'healthy')).toHaveLength(450);
  expect(new Set(kinds)).toEqual(new Set(storeKinds));
  expect(kinds.filter((kind) => kind === 'dead')).toHaveLength(20);
});

it('the name of a store of the scan row says its kind', () => {
  for (const kind of storeKinds) expect(kindOfDomain(domainOf(kind, 12, 'x1'))).toBe(kind);
});
