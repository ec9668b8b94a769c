import { Link } from 'react-router';
import { ForeignText, NotKnown } from '../../app/components/foreign-text.tsx';
import type { Column } from '../../app/components/table.tsx';
import { Time } from '../../app/components/time.tsx';
import { ownValue } from '../../app/domain/own-value.ts';
import type { StoreMatch } from '../../stores/domain.ts';
import { countryName } from '../../stores/pages.ts';
import type { ResultRow } from '../domain/result-row.ts';

const matches: Record<StoreMatch, string> = {
  matched: 'Fresh',
  stale: 'Stale',
  no_match: 'Not in the corpus',
  error: 'Error',
  unreadable: 'Answered, but this page cannot draw it',
};

const reasons: Record<string, string> = {
  allowance_exhausted: 'The allowance was used up',
  max_units_reached: 'The job had billed its maximum of units',
  key_revoked: 'The key of the job had ended or lost a scope',
  workspace_suspended: 'The workspace was suspended',
  rate_limited: 'Refused by a rate limit. Nothing was billed',
  unavailable: 'Shopscope was unavailable. Nothing was billed',
  internal: 'A fault of Shopscope. Nothing was billed',
};

const wordOf = ({ match, reason, isScanned }: ResultRow): string => {
  if (match === 'error') return ownValue(reasons, reason) ?? matches.error;
  return isScanned ? `${matches[match]}, scan requested` : matches[match];
};

/** The columns of a table of results. `stores`: the path of the page that looks a domain up. */
export const resultColumns = (stores: string): Column<ResultRow>[] => [
  {
    header: 'Domain',
    className: 'md:w-[22%]',
    cell: ({ domain }) => (
      <Link
        to={`${stores}?${new URLSearchParams({ domain })}`}
        className="code rounded font-medium [overflow-wrap:anywhere] hover:underline"
      >
        {domain}
      </Link>
    ),
  },
  {
    header: 'Your id',
    className: 'md:w-[10%]',
    cell: ({ externalId }) => externalId !== '' && <ForeignText text={externalId} max={60} />,
  },
  { header: 'Result', className: 'md:w-[17%]', cell: wordOf },
  { header: 'Name', className: 'md:w-[15%]', cell: ({ store }) => store && <ForeignText text={store.name} max={80} /> },
  {
    header: 'Platform',
    className: 'md:w-[14%]',
    cell: ({ store }) => store && (store.platform ? <ForeignText text={store.platform} max={40} /> : <NotKnown />),
  },
  {
    header: 'Country',
    wideOnly: true,
    cell: ({ store }) => store && (countryName({ country: store.country || 'ZZ', basis: 'observed' }) ?? <NotKnown />),
  },
  {
    header: 'Last scan',
    wideOnly: true,
    cell: ({ store }) => store && <Time ms={Date.parse(store.lastScanAt)} as="date" />,
  },
];
