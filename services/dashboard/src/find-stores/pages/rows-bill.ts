import { formatNumber } from '../../app/components/formats.ts';

/** What a page of rows can bill, before it is read. */
export const rowsBill = (limit: number, withChanges: boolean): string =>
  `This bills up to ${formatNumber(limit)} cached look-ups, one for each row${withChanges ? ', and 1 history query' : ''}.`;
