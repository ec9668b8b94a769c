import { Facts } from '../../app/components/facts.tsx';
import { NotKnown, notKnown } from '../../app/components/foreign-text.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { Time } from '../../app/components/time.tsx';
import type { StoreCatalog as Catalog } from '../domain/store.ts';

/** Shows the prices of the middle half of the products as a band, with the number of products and the part of them that was read. */
export function StoreCatalog({ catalog }: { catalog: Catalog }) {
  if (catalog.coverage === 'none') {
    return <p className="text-quiet">No catalogue was seen, so products and prices are {notKnown}.</p>;
  }
  const { p25, median, p75 } = catalog.price_range;
  const hasPrices = catalog.currency !== 'XXX' && p75 > 0 && p25 <= median && median <= p75;
  return (
    <div className="grid gap-4">
      {hasPrices ? (
        <PriceBand p25={p25} median={median} p75={p75} currency={catalog.currency} />
      ) : (
        <p className="text-quiet">Prices are {notKnown}.</p>
      )}
      <Facts
        facts={{
          Products: <span className="amount">{formatNumber(catalog.product_count)}</span>,
          Available:
            catalog.available_count === null ? (
              <NotKnown />
            ) : (
              <span className="amount">{formatNumber(catalog.available_count)}</span>
            ),
          Read: describeCoverage(catalog.coverage),
          'As of': <Time ms={Date.parse(catalog.as_of)} as="date" />,
        }}
      />
    </div>
  );
}

const describeCoverage = (coverage: string): string =>
  coverage === 'full' ? 'the whole catalogue' : coverage === 'first_page' ? 'the first page' : notKnown;

/** The axis begins at zero and ends a little above the upper quartile, so that bands of several stores can be compared. */
function PriceBand({ p25, median, p75, currency }: { p25: number; median: number; p75: number; currency: string }) {
  const max = p75 * 1.25;
  const at = (price: number) => Math.round((price / max) * 10_000) / 100;
  const price = priceFormat(currency);
  return (
    <figure className="grid gap-2">
      <figcaption className="font-medium">
        Half of the products cost {price(p25)} to {price(p75)}, with {price(median)} in the middle
      </figcaption>
      <svg width="100%" height="40" role="img" aria-label="Price band" className="overflow-visible">
        <rect x="0" y="6" width="100%" height="8" rx="4" className="fill-line" />
        <rect
          x={`${at(p25)}%`}
          y="6"
          width={`${Math.max(0.5, at(p75) - at(p25))}%`}
          height="8"
          rx="4"
          className="fill-accent forced-colors:fill-[Highlight]"
        />
        <rect x={`${at(median)}%`} y="2" width="2" height="16" className="fill-text forced-colors:fill-[CanvasText]" />
        <text x="0" y="34" className="fill-quiet text-xs tabular-nums">
          {price(0)}
        </text>
        <text x="100%" y="34" textAnchor="end" className="fill-quiet text-xs tabular-nums">
          {price(max)}
        </text>
      </svg>
    </figure>
  );
}

/** Formats a price with its currency. A currency that the runtime does not know is written before the amount. */
function priceFormat(currency: string): (amount: number) => string {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: 2 });
    return (amount) => format.format(amount);
  } catch {
    const format = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
    return (amount) => `${currency.slice(0, 3)} ${format.format(amount)}`;
  }
}
