import { Link, useNavigation } from 'react-router';
import { formatNumber } from '../../app/components/formats.ts';
import { Time } from '../../app/components/time.tsx';
import { asWords, countryName } from '../../stores/pages.ts';
import type { Amount, Facet, StoreCount } from '../domain/answers.ts';
import { withFacetValue } from '../domain/facet-filter.ts';
import type { StoreFilter } from '../domain/store-filter.ts';

/** How many stores match, how they divide, and some of them with masked names. */
export function CountResult({ count, filter }: { count: StoreCount; filter: StoreFilter }) {
  const { total, not_judged, facets, sample, edition } = count;
  const isBusy = useNavigation().state !== 'idle';
  const partial = not_judged.scope_partial;
  return (
    <section aria-label="Count" aria-busy={isBusy} className="grid gap-5">
      <div className="grid gap-1">
        <p className="text-xl">
          <span className="amount text-xl">{amountText(total)}</span>{' '}
          {total.value === 1 && total.relation === 'eq' ? 'store' : 'stores'}
        </p>
        <p className="text-sm text-quiet">
          State of <Time ms={Date.parse(edition.built_at)} />.
          {total.relation === 'lt' && ' Small numbers are hidden, with all that stands beside them.'}
          {partial && partial.value > 0 && ` ${amountText(partial)} more are not judged: their scans were partial.`}
        </p>
        {sample.length > 0 && (
          <p className="text-sm [overflow-wrap:anywhere]">
            <span className="text-quiet">Such as </span>
            <span className="code">{sample.map(({ domain }) => domain).join(', ')}</span>
          </p>
        )}
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        {facets
          .filter(({ values }) => values.length > 0)
          .map((facet) => (
            <FacetBars key={facet.field} facet={facet} filter={filter} />
          ))}
      </div>
    </section>
  );
}

export const amountText = ({ value, relation }: Amount): string =>
  `${relation === 'lt' ? 'fewer than ' : relation === 'approx' ? 'about ' : ''}${formatNumber(value)}`;

const titles: Readonly<Record<string, string>> = {
  country: 'Countries',
  platform: 'Platforms',
  industry: 'Industries',
  technology: 'Technologies',
};

const nameOf = (field: string, value: string): string => {
  if (field === 'technology') return value;
  if (field === 'country') return countryName({ country: value, basis: 'observed' }) ?? value;
  return asWords(value);
};

/** The values of a facet. A click on a bar adds the value to the query. */
function FacetBars({ facet, filter }: { facet: Facet; filter: StoreFilter }) {
  const { field, values, other, unknown } = facet;
  const most = Math.max(1, ...values.map(({ stores }) => stores));
  return (
    <div className="grid min-w-0 content-start gap-1">
      <h2 className="text-sm font-medium text-quiet">{titles[field] ?? asWords(field)}</h2>
      <ul className="grid gap-0.5">
        {values.map(({ value, stores }) => (
          <li key={value}>
            <FacetLink to={withFacetValue(filter, field, value)}>
              <span className="flex justify-between gap-2">
                <bdi className="truncate">{nameOf(field, value)}</bdi>
                <span className="amount">{formatNumber(stores)}</span>
              </span>
              <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" className="h-1 w-full">
                <rect width={(stores / most) * 100} height="4" className="fill-series-1" />
              </svg>
            </FacetLink>
          </li>
        ))}
      </ul>
      {restOf(other, unknown) !== '' && <p className="px-1 text-sm text-quiet">{restOf(other, unknown)}</p>}
    </div>
  );
}

const FacetLink = ({ to, children }: { to: string | undefined; children: React.ReactNode }) =>
  to === undefined ? (
    <span className="block px-1 py-1">{children}</span>
  ) : (
    <Link to={to} preventScrollReset className="block rounded px-1 py-1 hover:bg-sunken">
      {children}
    </Link>
  );

const restOf = (other: number | null, unknown: number | null) =>
  [other && `${formatNumber(other)} others`, unknown && `${formatNumber(unknown)} not known`]
    .filter(Boolean)
    .join(', ');
