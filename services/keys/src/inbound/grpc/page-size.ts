import { invalidField } from '@shopscope/errors';

/** Accepts 1 to 200. Proto3 sends an absent limit as 0, which means 50. */
export function pageSize(limit: number): number {
  if (limit > 200) throw invalidField('limit', 'must be from 1 to 200');
  return limit || 50;
}
