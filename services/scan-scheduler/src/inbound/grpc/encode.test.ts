import { ScanUnit } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { decodeUnit } from './encode.ts';

it('a request that does not name what its scan bills is refused, and the error names the field', () => {
  expect([ScanUnit.LOOKUP_LIVE, ScanUnit.REFRESH_REQUESTED].map(decodeUnit)).toEqual([
    'lookup_live',
    'refresh_requested',
  ]);
  expect(() => decodeUnit(ScanUnit.UNSPECIFIED)).toThrow('unit');
});
