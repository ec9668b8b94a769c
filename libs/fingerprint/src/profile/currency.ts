import { currencyCode } from '../catalog/prices.ts';
import type { PageEvidence } from '../page/evidence.ts';

// Platforms print their configuration into the page in different forms.
const inlineCurrencies = [
  /Shopify\.currency\s{0,4}=\s{0,4}\{\s{0,4}"active":\s{0,4}"([A-Z]{3})"/,
  /"currency(?:_code|Code|_iso_code|IsoCode)?"\s{0,4}:\s{0,4}"([A-Z]{3})"/,
  /"iso_code"\s{0,4}:\s{0,4}"([A-Z]{3})"/,
  /["']?(?:currencyCode|storeCurrency|currency_code|priceCurrency|currency)["']?\s{0,4}[:=]\s{0,4}["']([A-Z]{3})["']/,
];

/** The currency of the store, or undefined. Meta tags and structured data come before configuration. */
export function pageCurrency({ metas, inline, jsonLd, document }: PageEvidence): string | undefined {
  for (const name of ['product:price:currency', 'og:price:currency', 'product:sale_price:currency']) {
    const code = currencyCode(metas.get(name)?.[0]);
    if (code) return code;
  }
  for (const { value } of jsonLd) {
    const code = currencyCode(value.priceCurrency ?? value.currenciesAccepted);
    if (code) return code;
  }
  const marked = document.byTag('meta').find(({ attribs }) => attribs.itemprop === 'priceCurrency');
  const code = currencyCode(marked?.attribs.content);
  if (code) return code;
  for (const pattern of inlineCurrencies) {
    const found = currencyCode(pattern.exec(inline)?.[1]);
    if (found) return found;
  }
  return undefined;
}
