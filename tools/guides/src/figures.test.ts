import { readFileSync } from 'node:fs';
import { workTimeoutMs } from '@shopscope/charging';
import { dayMs, hourMs } from '@shopscope/clock';
import { maxInputLength } from '@shopscope/domain-name';
import { expect, test } from 'vitest';
import { defaultMaxUnits } from '../../../packages/cli/src/enrich/confirm.ts';
import { exitCodes } from '../../../packages/cli/src/exit-codes.ts';
import { defaults } from '../../../packages/client/src/client.ts';
import { maxRetryAfterMs } from '../../../packages/client/src/retry.ts';
import { defaultDailyUnits } from '../../../packages/mcp/src/config.ts';
import { maxDomains } from '../../../packages/mcp/src/tools/stores.ts';
import { revokedListingMs } from '../../../services/dashboard/src/keys/operations/keys.ts';
import { keptSeconds } from '../../../services/dashboard/src/requests/outbound/requests.ts';
import { idempotencyKeyLength } from '../../../services/gateway/src/contract/headers.ts';
import { pageLimits } from '../../../services/gateway/src/contract/schemas.ts';
import { contractVersion } from '../../../services/gateway/src/endpoints/discovery/contract.ts';
import { enrichBatchCeiling } from '../../../services/gateway/src/endpoints/enrich-stores/contract.ts';
import { maxBodyBytes } from '../../../services/gateway/src/http/body/read-body.ts';
import { responseTtlMs } from '../../../services/gateway/src/idempotency/redis-store.ts';
import { cacheTtlMs } from '../../../services/gateway/src/keys/authenticate-key.ts';
import { initialPlans } from '../../../services/keys/src/domain/plan.ts';
import { presets } from '../../../services/keys/src/domain/scope.ts';
import { maxAttempts } from '../../../services/scan-scheduler/src/domain/job.ts';
import { maxInFlight, slowAfterFailures } from '../../../services/webhooks/src/domain/health.ts';
import { maxBodyBytes as maxMessageBytes } from '../../../services/webhooks/src/domain/message.ts';
import { maxTries } from '../../../services/webhooks/src/domain/schedule.ts';
import { attemptMs } from '../../../services/webhooks/src/operations/deliveries/send-attempt.ts';
import { type Guide, guidesFolder, readGuides } from './guide.ts';

const guides = new Map(readGuides().map((guide) => [guide.slug, guide]));
/** With single spaces, so that a line may break anywhere. */
const textOf = (slug: string) => (guides.get(slug) as Guide).source.replace(/\s+/g, ' ');
const grouped = (count: number) => count.toLocaleString('en-US');
const contract = JSON.parse(readFileSync(`${guidesFolder}/../openapi.json`, 'utf8'));

const parameter = (path: string, name: string) =>
  contract.paths[path].get.parameters.find((candidate: { name?: string }) => candidate.name === name).schema;
const requestId = /\{(\d+),(\d+)\}/.exec(contract.components.parameters['X-Request-Id'].schema.pattern) ?? [];
const { minLength: minDomain, maxLength: maxDomain } = parameter('/v1/stores/{domain}', 'domain');
const { minLength: minQ, maxLength: maxQ } = parameter('/v1/technologies', 'q');
const hours = responseTtlMs / hourMs;
const { min, max } = idempotencyKeyLength;

/** A figure, in the words of each guide that has it. */
test.each<[slug: string, words: string]>([
  ['billing', `| body of a request | ${maxBodyBytes / 1_024} KB (${grouped(maxBodyBytes)} bytes) |`],
  ['errors', `more than ${grouped(maxBodyBytes)} bytes (${maxBodyBytes / 1_024} KB)`],
  ['billing', `| domains in a batch, whatever the plan | ${enrichBatchCeiling} |`],
  ['billing', `| one input of a batch | ${grouped(maxInputLength)} characters |`],
  ['billing', `| \`{domain}\` in a path | ${minDomain} to ${maxDomain} characters |`],
  ['billing', `| \`Idempotency-Key\` | ${min} to ${max} characters |`],
  ['idempotency', `An \`Idempotency-Key\` has ${min} to ${max} characters.`],
  ['billing', `is kept | ${hours} hours |`],
  ['idempotency', `are kept for ${hours} hours.`],
  ['errors', `with another body within ${hours} hours.`],
  ['enrich', `start again within ${hours} hours`],
  ['billing', `| \`X-Request-Id\` | ${requestId[1]} to ${requestId[2]} characters of`],
  ['billing', `| \`limit\` of a page | ${pageLimits.min} to ${pageLimits.max}, default ${pageLimits.default} |`],
  [
    'pagination',
    `is ${pageLimits.min} to ${pageLimits.max}; without it a page has up to ${pageLimits.default} entries`,
  ],
  ['billing', `| \`q\` of \`listTechnologies\` | ${minQ} to ${maxQ} characters |`],
  ['billing', `| time of the service for one request | ${workTimeoutMs / 1_000} seconds`],
  ['errors', `time limit of ${workTimeoutMs / 1_000} seconds`],
  ['idempotency', `the service answers within ${workTimeoutMs / 1_000} seconds`],
  ['rotating-keys', `listed for ${revokedListingMs / dayMs} days`],
  ['scans-and-jobs', `up to ${maxAttempts} attempts`],
  ['rotating-keys', `in the last ${keptSeconds / 86_400} days`],
  ['clients', `\`maxRetries\`, ${defaults.maxRetries} | \`max_retries\`, ${defaults.maxRetries} |`],
  ['clients', `\`timeoutMs\`, ${grouped(defaults.timeoutMs)} | \`timeout\`, ${defaults.timeoutMs / 1_000} seconds |`],
  ['clients', `followed up to ${maxRetryAfterMs / 1_000} seconds`],
  ['idempotency', `at least ${defaults.timeoutMs / 1_000} seconds before`],
  ['mcp', `${defaultDailyUnits} units per key and UTC day`],
  ['mcp', `at most ${maxDomains}; with \`refresh\``],
  ['cli', `\`--max-units\` (${grouped(defaultMaxUnits)})`],
  ['enrich', `| bytes of the body | ${grouped(maxBodyBytes)} (${maxBodyBytes / 1_024} KB) |`],
  ['enrich', `\`plan.limits.enrich_batch_max\`, up to ${enrichBatchCeiling} |`],
  ['enrich', `| characters of an input | ${grouped(maxInputLength)} |`],
  ['webhooks', `Answer \`2xx\` within ${attemptMs / 1_000} seconds`],
  ['webhooks', `There are up to ${maxTries} attempts`],
  [
    'webhooks',
    `At most ${maxInFlight} attempts of a webhook are in progress, after ${slowAfterFailures} failures in a row one`,
  ],
  ['webhooks', `at most ${maxMessageBytes / 1_024} KB`],
  ['versioning', `"version": "${contractVersion}"`],
  ['changelog', `## ${contractVersion} `],
])('the guide %s says: %s', (slug, words) => {
  expect(textOf(slug)).toContain(words);
});

test('the guides say what the contract says in words', () => {
  const said = JSON.stringify(contract);
  const figures = [
    ['The address has spent its 300 requests without a key', 'billing', '| 300 in a minute'],
    ['Scans are kept for 90 days after their end', 'scans-and-jobs', 'for 90 days after their end'],
    ['other jobs for 30', 'lists', 'kept for 30 days after the end of the job'],
    ['response may take 30 minutes', 'lists', 'for at most 30 minutes'],
    ['lie at least six hours apart; at once on a return', 'freshness', 'at least six hours apart'],
    ['scope full, at least six hours apart', 'history-and-signals', 'at least six hours apart'],
    ['about every 10 seconds', 'scans-and-jobs', 'about every 10 seconds'],
  ] as const;
  for (const [inContract, slug, words] of figures) {
    expect(said).toContain(inContract);
    expect(textOf(slug)).toContain(words);
  }
});

test('the clients for TypeScript and Python have the same limits', () => {
  const source = (name: string) =>
    readFileSync(`${guidesFolder}/../../packages/client-python/src/shopscope/${name}.py`, 'utf8');
  for (const name of ['_client', '_async_client']) {
    expect(source(name)).toContain(`timeout: float = ${(defaults.timeoutMs / 1_000).toFixed(1)},`);
    expect(source(name)).toContain(`max_retries: int = ${defaults.maxRetries},`);
  }
  expect(source('_retry')).toContain(`_MAX_RETRY_AFTER = ${(maxRetryAfterMs / 1_000).toFixed(1)}\n`);
});

test('the exit codes of the command line are those of the guide', () => {
  const codesIn = (text: string) => [...text.matchAll(/^\| (\d+) \| \S/gm)].map(([, code]) => Number(code));
  expect(codesIn(guides.get('cli')?.source ?? '')).toEqual(Object.values(exitCodes));
});

test('a revocation is in force as soon as the guides promise', () => {
  expect(textOf('billing')).toContain('| revocation of a key | in force everywhere within 60 seconds |');
  expect(textOf('rotating-keys')).toContain('within 60 seconds');
  expect(cacheTtlMs).toBeLessThan(60_000);
});

const figuresOfPlans: Record<string, (plan: (typeof initialPlans)[number]) => number> = {
  rpm: ({ rpm }) => rpm,
  concurrency: ({ concurrency }) => concurrency,
  enrich_batch_max: ({ enrichBatchMax }) => enrichBatchMax,
  freshness_days: ({ freshnessDays }) => freshnessDays,
  history_days: ({ historyDays }) => historyDays,
  live_refreshes_per_period: ({ included }) => included.lookupLive,
  lookup_cached: ({ included }) => included.lookupCached,
  history_query: ({ included }) => included.historyQuery,
  refresh_requested: ({ included }) => included.refreshRequested,
  lists: ({ quotas }) => quotas.lists,
  list_stores: ({ quotas }) => quotas.listStores,
  watchlists: ({ quotas }) => quotas.watchlists,
  watched_stores: ({ quotas }) => quotas.watchedStores,
  webhooks: ({ quotas }) => quotas.webhooks,
};

test.each(Object.entries(figuresOfPlans))('the table of plans has %s of every initial plan', (name, figureOf) => {
  expect(textOf('billing')).toContain(`| limit | ${initialPlans.map(({ slug }) => slug).join(' | ')} | meaning |`);
  expect(textOf('billing')).toContain(`| \`${name}\` | ${initialPlans.map(figureOf).map(grouped).join(' | ')} |`);
});

test('the range of days after which a profile is stale is that of the initial plans', () => {
  const days = initialPlans.map(({ freshnessDays }) => freshnessDays);
  expect(textOf('freshness')).toContain(`: ${Math.min(...days)} to ${Math.max(...days)}, by [plan]`);
});

test('the presets of keys are those of the dashboard', () => {
  const named = (scopes: readonly string[]) => scopes.map((scope) => `\`${scope}\``);
  const { read_only: reading = [], read_and_watch: watching = [], full = [], partner = [] } = presets;
  const added = (more: readonly string[], to: readonly string[]) => more.filter((scope) => !to.includes(scope));
  const text = textOf('authentication');
  expect(text).toContain(`| read only | ${named(reading).join(' ')} |`);
  expect(text).toContain(`| read and watch | those of read only, ${named(added(watching, reading)).join(', ')} |`);
  expect(text).toContain(`| full | those of read and watch, ${named(added(full, watching)).join(', ')} |`);
  expect(partner).toEqual(['read:stores']);
});
