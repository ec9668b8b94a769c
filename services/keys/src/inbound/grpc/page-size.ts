import { invalidField } from '@shopscope/errors';

/** 1 to 200; 0, which is an unset member, is 50. */
export function pageSize(limit: number): number {
  if (limit > 200) throw invalidField('limit', 'must be from 1 to 200');
  return limit || 50;
}
