import { dayMs } from '@shopscope/clock';
import { deriveId } from '@shopscope/ids';
import { domainOf } from './corpus.ts';
import { createRandom } from './random.ts';

/** A confirmed signal as profiles stores it (services/profiles/src/outbound/mongo/signals.ts). */
export type GeneratedSignal = ReturnType<typeof generatedSignal>;

export interface SignalSizes {
  signals: number;
  stores: number;
  nowMs: number;
}
const days = 365;
const retentionDays = 1_827;

/** The values of each filter, the most frequent first. The frequency of value n is about 1 ÷ (n + 1) of the first one's. */
export const signalValues = {
  type: ['technology_added', 'technology_removed', 'install_state_changed', 'status_changed', 'platform_changed'],
  technology: 'klaviyo google-analytics stripe paypal cloudflare hotjar judge-me gorgias jquery zendesk'.split(' '),
  platform: ['shopify', 'woocommerce', 'magento', 'prestashop', 'bigcommerce', 'custom'],
  country: 'US GB DE CA AU FR NL ES IT SE DK BE AT CH NO FI IE NZ PL ZZ'.split(' '),
  industry: 'apparel beauty shoes food electronics health beverages education pets automotive unclassified'.split(' '),
  confidence: ['high', 'medium', 'low'],
};

/** Returns signal `n`. The signals are spread evenly over a year, and at random over the stores. */
export function generatedSignal(n: number, { signals, stores, nowMs }: SignalSizes) {
  const random = createRandom(n);
  const oneOf = (values: readonly string[]) => {
    // The exponential of an even distribution reaches place k with a probability that is about proportional to 1 ÷ (k + 1).
    const place = Math.floor((values.length + 1) ** (random(1_000_000) / 1_000_000)) - 1;
    return values[place] as string;
  };
  const effectiveMs = nowMs - days * dayMs + Math.floor((days * dayMs * n) / signals);
  const type = oneOf(signalValues.type);
  const isRemoval = type === 'technology_removed';
  const confirmedAt = new Date(effectiveMs + (isRemoval ? dayMs : 0));
  return {
    _id: deriveId('evt', 'bench', String(n)),
    domain: domainOf(random(stores)),
    type,
    state: 'confirmed' as const,
    technology: oneOf(signalValues.technology),
    from: isRemoval ? 'active' : null,
    to: isRemoval ? null : 'active',
    confidence: oneOf(signalValues.confidence),
    effectiveAt: new Date(effectiveMs),
    confirmedAt,
    recordedAt: confirmedAt,
    platform: oneOf(signalValues.platform),
    country: oneOf(signalValues.country),
    industry: oneOf(signalValues.industry),
    sequence: 2,
    forgetAt: new Date(effectiveMs + retentionDays * dayMs),
  };
}
