import type { KnownData } from './known-data.ts';
import type { Run } from './schemathesis.ts';
import type { ApiCheckSettings } from './settings.ts';

/** The run that compares every operation with openapi.json. */
export function restRun(
  api: { url: string; key: string; testKey: string; known: KnownData },
  settings: Pick<ApiCheckSettings, 'examplesPerOperation' | 'scenarioStep' | 'wrongTypeStep' | 'phases' | 'operations'>,
): Run {
  const { examplesPerOperation, scenarioStep, wrongTypeStep, phases, operations } = settings;
  return {
    name: 'rest',
    config: 'schemathesis.toml',
    target: `${api.url}/v1/openapi.json`,
    options: {
      'max-examples': examplesPerOperation,
      phases,
      ...(operations && { 'include-by': operations }),
    },
    env: {
      SHOPSCOPE_CHECK_SCENARIO_STEP: String(scenarioStep),
      SHOPSCOPE_CHECK_WRONG_TYPE_STEP: String(wrongTypeStep),
      SHOPSCOPE_CHECK_KEY: api.key,
      SHOPSCOPE_CHECK_TEST_KEY: api.testKey,
      SHOPSCOPE_CHECK_LIST_ID: api.known.listId,
      SHOPSCOPE_CHECK_WATCHLIST_ID: api.known.watchlistId,
      SHOPSCOPE_CHECK_WEBHOOK_ID: api.known.webhookId,
      SHOPSCOPE_CHECK_RECEIVER_URL: api.known.receiverUrl,
      SHOPSCOPE_CHECK_DELIVERY_ID: api.known.deliveryId,
      SHOPSCOPE_CHECK_EXPORT_ID: api.known.exportId,
    },
  };
}
