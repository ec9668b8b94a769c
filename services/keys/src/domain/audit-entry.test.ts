import { expect, it } from 'vitest';
import { changeDetail, maxDetailLength } from './audit-entry.ts';

it('the detail of a change names both texts, and shortens long ones to its own limit', () => {
  expect(changeDetail('Acme', 'Acme Ltd')).toBe('Acme → Acme Ltd');
  const long = changeDetail('a'.repeat(200), 'b'.repeat(200));
  expect(long.length).toBeLessThanOrEqual(maxDetailLength);
  expect(long).toMatch(/^a+… → b+…$/);
});
