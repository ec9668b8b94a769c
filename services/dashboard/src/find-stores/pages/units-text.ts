import { billedText } from '../../usage/pages.ts';

/** What an action can bill, before a person agrees to it. */
export const billText = (units: { lookup_cached: number; history_query: number }): string =>
  `This bills up to ${billedText(units)}, one look-up for each row.`;
