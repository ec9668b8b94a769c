import { isGeneratedDomain } from '@shopscope/domain-name/generated-domain';
import type { ReactNode } from 'react';
import { Badge } from '../../app/components/badge.tsx';
import { Facts } from '../../app/components/facts.tsx';
import { ForeignText, NotKnown } from '../../app/components/foreign-text.tsx';
import { Notice } from '../../app/components/page.tsx';
import type { StoreSummary } from '../domain/store.ts';
import { asWords, countryName, industryName, platformIsKnown, statusOf } from './store-labels.ts';

/** The identity of the store. `heading`: the level of its name. `freshness`: whether the profile is fresh for the reader's plan. */
export function StoreHeader(props: {
  store: StoreSummary;
  lastScan: ReactNode;
  heading?: 'h1' | 'h2';
  freshness?: ReactNode;
  /** Shown to the right of the name. */
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
      {isGeneratedDomain(store.domain) && (
        <Notice title="This store is generated">
          <p>It is made for the demo. It does not exist, and its scans are invented.</p>
        </Notice>
      )}
      <Facts
        wide="Shop at"
        facts={{
          Platform: platformIsKnown(store.platform) ? (
            <>
              <ForeignText text={store.platform.name} max={80} />
              <span className="block text-sm text-quiet">{asWords(store.platform.confidence)} confidence</span>
            </>
          ) : (
            <NotKnown />
          ),
          Country: countryName(store.geography) ?? <NotKnown />,
          Industry: industryName(store.industry) ?? <NotKnown />,
          'Last scan': (
            <>
              {lastScan}
              {freshness && <span className="block text-sm text-quiet">{freshness}</span>}
            </>
          ),
          'Shop at': hasOwnHost && <span className="code">{store.storefront_host.slice(0, 253)}</span>,
        }}
      />
    </header>
  );
}
