import { execFileSync } from 'node:child_process';
import { whereOf as whereOfFlat } from '@shopscope/client';
import { expect, it } from 'vitest';
import { cliCommandOf } from './cli-command.ts';
import { filterOf } from './store-filter.ts';
import { whereOf } from './where-of.ts';

const filter = (search: string) => filterOf(new URLSearchParams(search));

/** The options of a command by the names of the flat form, as a shell passes them on. */
function optionsOf(command: string): Record<string, string> {
  const script = `shopscope() { printf '%s\\0' "$@"; }\n${command}`;
  const [verb, ...words] = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
  expect(verb).toBe('find');
  const pairs = words.flatMap((word, n) => (n % 2 === 0 ? [[word.slice(2).replaceAll('-', '_'), words[n + 1]]] : []));
  return Object.fromEntries(pairs);
}

it.each([
  '',
  'platform=shopify&country=DE,+AT&country_is=none&status=parked&sort=-product_count&products_min=100&products_max=500',
  'c1=klaviyo+omnisend&c1_state=active&c1_min=medium&c1_from=2026-08-01&c2=reviews&c2_by=category&c2_has=none',
  'c1=klaviyo&c1_has=all&c2=yotpo&c2_has=none&c3=email&c3_by=category&c4=loox&c4_has=dropped&c4_to=2026-10-01',
  'moved_from=magento&moved_to=shopify&moved_since=2026-06-01&moved_until=2026-07-01&list=lst_1&list=lst_2&list_is=none',
  "country=D'E;$(id)",
])('the command line searches for the same stores as the query %j', (search) => {
  const given = filter(search);
  const { sort, limit, products_min, products_max, ...flat } = optionsOf(cliCommandOf(given) ?? '');
  const counts = { products_min, products_max };
  const products = Object.entries(counts).flatMap(([name, text]) => (text === undefined ? [] : [[name, Number(text)]]));
  expect(JSON.parse(JSON.stringify(whereOfFlat({ ...flat, ...Object.fromEntries(products) })))).toEqual(whereOf(given));
  expect([sort, limit]).toEqual([given.sort, '50']);
});

it.each([
  'c1=klaviyo&c2=omnisend',
  'c1=app&c1_by=kind',
  'c1=reviews&c1_by=category&c1_has=dropped',
  'c1=klaviyo&c1_state=active&c2=email&c2_by=category',
  'c1=klaviyo&c1_from=2026-08-01&c1_first=included',
  'scanned_from=2026-08-01',
])('the command line has no options for the query %j, so there is no command that finds other stores', (search) => {
  expect(cliCommandOf(filter(search))).toBeUndefined();
});
