import { notKnown } from '../../app/components/foreign-text.tsx';
import { ownValue } from '../../app/domain/own-value.ts';
import type { Store, StoreTechnology } from '../domain/store.ts';

/** The labels of values of the API on pages. If this version does not know a value, the value itself is shown as words. */

type Tone = 'ok' | 'warning' | 'danger' | 'neutral' | 'unknown';

const states: Readonly<Record<string, { word: string; tone: Tone }>> = {
  active_storefront: { word: 'Trading', tone: 'ok' },
  password_protected: { word: 'Behind a password', tone: 'warning' },
  redirected: { word: 'Leads to another site', tone: 'warning' },
  parked: { word: 'Parked', tone: 'neutral' },
  unreachable: { word: 'Not reachable', tone: 'danger' },
  closed: { word: 'Closed', tone: 'danger' },
  not_a_storefront: { word: 'Not a shop', tone: 'neutral' },
};

export const statusOf = (state: string): { word: string; tone: Tone } =>
  ownValue(states, state) ?? { word: asWords(state), tone: 'unknown' };

const installStates: Readonly<Record<string, { word: string; tone: Tone }>> = {
  active: { word: 'Active', tone: 'ok' },
  inactive: { word: 'No longer active', tone: 'neutral' },
  configured: { word: 'Set up', tone: 'neutral' },
};

export const installStateOf = (state: string): { word: string; tone: Tone } =>
  ownValue(installStates, state) ?? { word: asWords(state), tone: 'unknown' };

const maxSlugLength = 80;

const acronyms = new Set(['cdn', 'cms', 'crm', 'iaas', 'paas', 'rum', 'seo', 'ui']);

/** A slug as words: `marketing-automation` becomes "Marketing automation", `cdn` becomes "CDN". */
export function asWords(slug: string): string {
  const text = slug.slice(0, maxSlugLength).replaceAll(/[-_]+/g, ' ').trim();
  if (text === '') return notKnown;
  const words = text
    .split(' ')
    .map((word) => (acronyms.has(word) ? word.toUpperCase() : word))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** The name of the country; undefined if it is not known. */
export function countryName({ country, basis }: Store['geography']): string | undefined {
  if (country === 'ZZ' || basis === 'unknown' || !/^[A-Z]{2}$/.test(country)) return undefined;
  return regions.of(country) ?? country;
}

export const industryName = ({ slug, basis }: Store['industry']): string | undefined =>
  slug === 'unclassified' || basis === 'unknown' ? undefined : asWords(slug);

/** Whether the platform is known. `custom` is a shop on an unknown platform. */
export const platformIsKnown = ({ slug }: Pick<Store['platform'], 'slug'>): boolean => slug !== 'custom';

/** The members that determine the order of technologies. */
type Ordered = Pick<StoreTechnology, 'category' | 'name' | 'install_state'>;

const stateOrder = ['active', 'inactive', 'configured'];

/** Technologies by category and name. Within a category, the active ones come first, and those that are only set up come last. */
export function groupedTechnologies<T extends Ordered>(
  technologies: readonly T[],
): { category: string; technologies: T[] }[] {
  const groups = Map.groupBy(technologies, ({ category }) => category);
  const rank = ({ install_state }: T) => (stateOrder.indexOf(install_state) + 4) % 4;
  const byRank = (a: T, b: T) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1);
  return [...groups]
    .map(([category, members]) => ({ category, technologies: members.toSorted(byRank) }))
    .toSorted((a, b) => (a.category < b.category ? -1 : 1));
}
