import { dayMs, minuteMs } from '@shopscope/clock';
import type { Collection, Db } from 'mongodb';

interface Generated {
  _id: string;
  domain: string;
}

const types = ['technology_added', 'technology_removed', 'install_state_changed', 'platform_changed', 'status_changed'];
const states = ['active_storefront', 'password_protected', 'closed', 'parked'];
const confidences = ['high', 'medium', 'low'];
const start = Date.UTC(2026, 0, 1);

/**
 * Confirmed signals with values of different frequency, some candidates and some retracted signals. Every tenth signal shares its time with the 200
 * next to it, as those of an import do. Deterministic.
 */
export function generatedSignals(count: number, technologies: readonly string[]) {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
  // The square makes the first values frequent and the last ones rare.
  const oneOf = <Value>(values: readonly Value[]): Value => values[Math.floor(random() ** 2 * values.length)] as Value;
  const platforms = ['shopify', 'woocommerce', 'magento', 'prestashop', 'custom'];
  const countries = ['US', 'GB', 'DE', 'FR', 'NL', 'AU', 'CA', 'ES', 'IT', 'ZZ'];
  const industries = [
    'apparel',
    'beauty',
    'food',
    'home-and-furniture',
    'electronics',
    'pets',
    'toys-and-games',
    'unclassified',
  ];
  const changeOf = (type: string, n: number): [from: string | null, to: string] => {
    const pairOf = (values: readonly string[]): [string, string] => [
      values[n % values.length] as string,
      values[(n >> 3) % values.length] as string,
    ];
    if (type === 'platform_changed') return pairOf(platforms);
    if (type === 'status_changed') return pairOf(states);
    return type === 'install_state_changed' ? ['active', 'inactive'] : [null, 'active'];
  };
  return Array.from({ length: count }, (_, n) => {
    const minute = n % 10 === 0 ? Math.floor(n / 2_000) * 2_000 : n;
    const confirmedAt = new Date(start + minute * minuteMs);
    const isConfirmed = n % 20 !== 7;
    const isRetracted = n % 20 === 13;
    const domain = `shop-${Math.floor(random() * (count / 10))}.example`;
    const type = oneOf(types);
    const technology = oneOf(technologies);
    const confidence = oneOf(confidences);
    const values = isConfirmed && {
      platform: oneOf(platforms),
      country: oneOf(countries),
      industry: oneOf(industries),
      recordedAt: new Date(confirmedAt.getTime() + (n % 4) * minuteMs),
    };
    const [from, to] = changeOf(type, n);
    return {
      _id: `evt_${String((n * 7_919) % 1_000_003).padStart(7, '0')}-${n}`,
      domain,
      type,
      state: isRetracted ? 'retracted' : isConfirmed ? 'confirmed' : 'candidate',
      technology: type === 'platform_changed' ? to : technology,
      from,
      to,
      confidence,
      effectiveAt: new Date(confirmedAt.getTime() - (n % 5) * minuteMs),
      confirmedAt: isConfirmed ? confirmedAt : null,
      retractedAt: isRetracted ? new Date(confirmedAt.getTime() + (n % 7) * dayMs) : null,
      retractedReason: isRetracted ? 'technology_seen_again' : null,
      ...values,
      sequence: 2,
      forgetAt: new Date(start + 4_000 * dayMs),
    };
  });
}

export type GeneratedSignal = ReturnType<typeof generatedSignals>[number];

export async function insertSignals(db: Db, signals: readonly GeneratedSignal[]): Promise<void> {
  const collection: Collection<Generated> = db.collection('signals');
  for (let at = 0; at < signals.length; at += 5_000) await collection.insertMany(signals.slice(at, at + 5_000));
}
