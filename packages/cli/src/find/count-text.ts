import type { components } from '@shopscope/client';
import { pairs, table } from '../table.ts';
import type { Screen } from '../terminal.ts';

type StoreCount = components['schemas']['StoreCount'];

/** What a count answers, as text for people. */
export function countText({ total, not_judged, quote, left, facets, sample }: StoreCount, screen: Screen): string {
  const lines: [string, string][] = [['Stores', amountText(total)]];
  if (not_judged.scope_partial) lines.push(['Not judged', `${amountText(not_judged.scope_partial)} (partial scans)`]);
  lines.push(['All rows bill', unitsText(quote)], ['Left', unitsText(left)]);
  if (sample.length > 0) lines.push(['Sample', sample.map(({ domain }) => domain).join(', ')]);
  return [pairs(lines), ...facets.map((facet) => facetText(facet, screen))].join('\n');
}

function amountText({ value, relation }: StoreCount['total']): string {
  if (relation === 'lt') return `fewer than ${value}`;
  return relation === 'eq' ? String(value) : `about ${value}`;
}

function unitsText(units: StoreCount['quote']): string {
  return (
    Object.entries(units)
      .map(([unit, count]) => `${count} ${unit}`)
      .join(', ') || 'not shown'
  );
}

function facetText({ field, values, other, unknown }: StoreCount['facets'][number], screen: Screen): string {
  const rest = { other, unknown };
  const rows = [
    ...values.map(({ value, stores }) => [value, String(stores)]),
    ...Object.entries(rest).flatMap(([name, stores]) => (stores ? [[`(${name})`, String(stores)]] : [])),
  ];
  return table([field.toUpperCase(), 'STORES'], rows, screen);
}
