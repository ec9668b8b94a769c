import { describe, expect, it } from 'vitest';
import { addUsage, maxPlatforms, type UsageRow, type UsageSums, usageOf } from './corpus-count.ts';

const row = (technology: string, platform: string, stores: number): UsageRow => ({ technology, platform, stores });

function usageFrom(rows: readonly UsageRow[]) {
  const sums: UsageSums = new Map();
  for (const each of rows) addUsage(sums, each);
  return usageOf(sums);
}

describe('usage of a technology', () => {
  it('the usage of a technology is the sum of all ranges, by platform, the largest first and equal numbers by slug', () => {
    const oneRange = [row('klaviyo', 'shopify', 2), row('klaviyo', 'woocommerce', 3), row('stripe', 'wix', 1)];
    const nextRange = [row('klaviyo', 'shopify', 4), row('klaviyo', 'magento', 3)];
    expect(usageFrom([...oneRange, ...nextRange])).toEqual(
      new Map([
        [
          'klaviyo',
          {
            stores: 12,
            platforms: [
              { slug: 'shopify', stores: 6 },
              { slug: 'magento', stores: 3 },
              { slug: 'woocommerce', stores: 3 },
            ],
            storesOnOtherPlatforms: 0,
          },
        ],
        ['stripe', { stores: 1, platforms: [{ slug: 'wix', stores: 1 }], storesOnOtherPlatforms: 0 }],
      ]),
    );
  });

  it('the usage of a technology names at most 20 platforms and sums the others, so that no store is missing from the total', () => {
    const rows = Array.from({ length: maxPlatforms + 5 }, (_, i) => row('jquery', `platform-${i}`, 100 - i));
    const usage = usageFrom(rows).get('jquery');
    expect(usage?.platforms).toHaveLength(maxPlatforms);
    expect(usage?.platforms.at(-1)).toEqual({ slug: 'platform-19', stores: 81 });
    expect(usage?.storesOnOtherPlatforms).toBe(80 + 79 + 78 + 77 + 76);
    expect(usage?.stores).toBe(rows.reduce((sum, { stores }) => sum + stores, 0));
  });
});
