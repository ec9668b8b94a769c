import { formatNumber } from '../../app/components/formats.ts';
import { Prose } from '../../app/components/public-page.tsx';
import { Time } from '../../app/components/time.tsx';
import { asWords, countryName, platformIsKnown } from '../../stores/pages.ts';
import type { DescribedTechnology } from '../operations/public-technologies.ts';
import { type StoreBar, StoreBars } from './store-bars.tsx';

/** How many stores use a technology, and what they are: what callers of the API read about it. */
export function Figures({ technology, figures, names }: DescribedTechnology) {
  const { stores, edition } = figures;
  if (!edition) return <p className="text-quiet">The number of stores is not available right now.</p>;
  const groups = groupsOf(figures, names).filter(
    // Every store of a platform is on this platform.
    ({ bars, first }) => bars.length > 0 && (first !== 'Platform' || technology.kind !== 'platform'),
  );
  return (
    <>
      <p className="text-lg">
        {stores === null ? 'Fewer than 5' : <span className="amount text-lg">{formatNumber(stores)}</span>} active
        stores
        <span className="text-sm text-quiet">
          {' '}
          on <Time ms={Date.parse(edition.built_at)} as="exact" /> UTC
        </span>
      </p>
      {groups.length > 0 && (
        <div className="gap-12 lg:columns-2">
          {groups.map((group) => (
            <StoreBars key={group.title} {...group} />
          ))}
        </div>
      )}
      <Prose>
        <p className="text-sm text-quiet">
          A store counts while it is trading and its profile lists {technology.name}. Numbers below 5 are not shown. The
          corpus has the stores that somebody has asked about, so the numbers are not shares of a market.
        </p>
      </Prose>
    </>
  );
}

interface Group {
  title: string;
  /** The header of the first column. */
  first: string;
  bars: StoreBar[];
}

function groupsOf(
  { by_platform, by_country, by_industry, found_beside }: DescribedTechnology['figures'],
  names: DescribedTechnology['names'],
): Group[] {
  const named = (slug: string) => ({
    value: slug,
    name: names[slug] ?? asWords(slug),
    href: `/technologies/${encodeURIComponent(slug)}`,
  });
  return [
    {
      title: 'By platform',
      first: 'Platform',
      bars: (by_platform ?? []).map(({ platform: slug, stores }) =>
        platformIsKnown({ slug }) ? { ...named(slug), stores } : { value: slug, name: 'No known platform', stores },
      ),
    },
    {
      title: 'By country',
      first: 'Country',
      bars: (by_country ?? []).map(({ country, stores }) => ({
        value: country,
        name: countryName({ country, basis: 'observed' }) ?? country,
        stores,
      })),
    },
    {
      title: 'By industry',
      first: 'Industry',
      bars: (by_industry ?? []).map(({ industry, stores }) => ({ value: industry, name: asWords(industry), stores })),
    },
    {
      title: 'Found beside it',
      first: 'Technology',
      bars: (found_beside ?? []).map(({ technology, stores }) => ({ ...named(technology), stores })),
    },
  ];
}
