import type { Clock } from '@shopscope/clock';
import { metricsOf, type Registry } from '@shopscope/telemetry';
import type { Edition } from './domain/edition-state.ts';
import type { Filling } from './domain/index-state.ts';
import type { Written } from './outbound/opensearch/store-indexes.ts';

export type SearchMetrics = ReturnType<typeof createMetrics>;

export function createMetrics(registry: Registry, clock: Pick<Clock, 'now'>) {
  const { counter, gauge, collectedGauge, histogram } = metricsOf(registry);
  const documents = counter(
    'search_documents_total',
    'Documents that the engine answered, by cause (update, fill) and result: written, stale if it had a later version, or refused',
    ['cause', 'result'],
  );
  const delay = histogram(
    'search_update_delay_seconds',
    'Time from the event of a merge to the acknowledgement of its document',
    [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  );
  const filled = gauge('search_fill_stores', 'Stores that the index which is filled has; 0 while none is filled');
  const toFill = gauge(
    'search_fill_stores_total',
    'About all stores that the index which is filled will have; 0 while none is filled',
  );
  let latest: Edition | undefined;
  collectedGauge('search_edition_age_seconds', 'Age of the latest edition; 0 without one', (age) => {
    age.set({}, latest ? Math.max(0, clock.now() - latest.builtAtMs) / 1_000 : 0);
  });
  const stores = gauge('search_edition_stores', 'Stores of the latest edition; 0 without one');
  return {
    written(cause: 'update' | 'fill', { written, stale, refused }: Written): void {
      documents.inc({ cause, result: 'written' }, written);
      documents.inc({ cause, result: 'stale' }, stale);
      documents.inc({ cause, result: 'refused' }, refused.length);
    },
    updateDelay: (ms: number): void => delay.observe(Math.max(0, ms) / 1_000),
    filling(filling: Filling | undefined): void {
      filled.set(filling?.written ?? 0);
      // The total is known after the first page.
      toFill.set(filling ? Math.max(1, filling.total) : 0);
    },
    latestEdition(edition: Edition | undefined): void {
      latest = edition;
      stores.set(edition?.stores ?? 0);
    },
  };
}
