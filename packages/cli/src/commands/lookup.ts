import { type components, hasCode } from '@shopscope/client';
import type { Command } from '../command.ts';
import { exitCodes, UsageError } from '../exit-codes.ts';
import { pairs, table } from '../table.ts';
import type { Screen } from '../terminal.ts';

const maxDomains = 1_000;

type Store = components['schemas']['Store'];

export default {
  summary: 'Profiles of stores. Each known store costs one lookup_cached; unknown domains are free.',
  usage: 'DOMAIN…',
  examples: ['lookup matched.test', 'lookup a.example b.example --json'],
  notes: 'Exit code 4: one of the domains is unknown, which does not mean that it is not a store.',
  positionals: '<DOMAIN...>',
  async run({ terminal, positionals, client: makeClient, print, json, screen }) {
    if (positionals.length > maxDomains)
      throw new UsageError(`At most ${maxDomains} domains. \`shopscope enrich\` reads longer lists.`);
    const client = await makeClient();
    let code: number = exitCodes.ok;
    for (const domain of positionals) {
      try {
        const { store } = await client.getStore(domain, { signal: terminal.interrupted });
        await print({ input: domain, store }, () => profileOf(store, screen));
      } catch (error) {
        if (!hasCode(error, 'not_found')) throw error;
        code = exitCodes.notFound;
        await print(
          { input: domain, store: null },
          () => `${domain} is unknown. \`shopscope scan ${domain}\` asks for a scan.\n`,
        );
      }
      if (!json && domain !== positionals.at(-1)) await print(null, () => '\n');
    }
    return code;
  },
} satisfies Command;

function profileOf(store: Store, screen: Screen): string {
  const { catalog, observation, status, platform, geography, industry } = store;
  const head = pairs([
    ['Domain', store.domain],
    ['Name', store.name],
    ['Platform', `${platform.name} (${platform.confidence})`],
    ['Status', `${status.state} as of ${status.as_of}`],
    ['Country', geography.country === 'ZZ' ? 'unknown' : geography.country],
    ['Industry', industry.slug === 'unclassified' ? 'unknown' : industry.slug],
    [
      'Products',
      catalog.coverage === 'none'
        ? 'not seen'
        : `${catalog.product_count} (${catalog.coverage}), median ${catalog.price_range.median} ${catalog.currency}`,
    ],
    ['Observed', `${observation.last_completed_scan_at}, scope ${observation.scope}`],
    ['Page', store.profile_url],
  ]);
  if (store.technologies.length === 0) return head;
  const headings = ['TECHNOLOGY', 'CATEGORY', 'STATE', 'CONFIDENCE', 'SINCE', 'CONFIRMED'];
  const technologies = store.technologies.map(({ slug, category, install_state, confidence, ...each }) => {
    const dates = [each.first_observed_at.slice(0, 10), each.last_confirmed_at.slice(0, 10)];
    return [slug, category, install_state, confidence, ...dates];
  });
  return `${head}\n${table(headings, technologies, screen)}`;
}
