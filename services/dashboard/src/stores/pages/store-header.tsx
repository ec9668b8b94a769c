import type { ReactNode } from 'react';
import { Badge } from '../../app/components/badge.tsx';
import { Fact } from '../../app/components/fact.tsx';
import { ForeignText, notKnown } from '../../app/components/foreign-text.tsx';
import type { StoreSummary } from '../domain/store.ts';
import { asWords, countryName, industryName, platformIsKnown, statusOf } from './store-labels.ts';

/**
 * Who the store is: name, domain, status, platform with confidence, country, industry, last scan and freshness.
 * `heading` is the level of the name. `freshness` tells whether the profile counts as fresh for the reader's plan.
 */
export function StoreHeader(props: {
  store: StoreSummary;
  lastScan: ReactNode;
  heading?: 'h1' | 'h2';
  freshness?: ReactNode;
  /** Stands at the right of the name. */
  action?: ReactNode;
}) {
  const { store, lastScan, heading: Heading = 'h2', freshness, action } = props;
  const { word, tone } = statusOf(store.status.state);
  const hasOwnHost = store.storefront_host !== '' && store.storefront_host !== store.domain;
  return (
    <header className="grid gap-4 rounded-[6px] border bg-raised p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="grid min-w-0 gap-1">
          <Heading className="line-clamp-3 text-xl">
            <ForeignText text={store.name} />
          </Heading>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="code">{store.domain}</span>
            <Badge tone={tone}>{word}</Badge>
          </p>
        </div>
        {action}
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 lg:grid-cols-4">
        <Fact name="Platform">
          {platformIsKnown(store.platform) ? <ForeignText text={store.platform.name} max={80} /> : <NotKnown />}
          {platformIsKnown(store.platform) && (
            <span className="block text-sm text-quiet">{asWords(store.platform.confidence)} confidence</span>
          )}
        </Fact>
        <Fact name="Country">{countryName(store.geography) ?? <NotKnown />}</Fact>
        <Fact name="Industry">{industryName(store.industry) ?? <NotKnown />}</Fact>
        <Fact name="Last scan">
          {lastScan}
          {freshness && <span className="block text-sm text-quiet">{freshness}</span>}
        </Fact>
        {hasOwnHost && (
          <Fact name="Shop at" isWide>
            <span className="code">{store.storefront_host.slice(0, 253)}</span>
          </Fact>
        )}
      </dl>
    </header>
  );
}

const NotKnown = () => <span className="text-quiet">{notKnown}</span>;
