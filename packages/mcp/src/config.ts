import * as http from 'node:http';
import { type Client, createClient } from '@shopscope/client';

/** The default number of units per key and UTC day. */
export const defaultDailyUnits = 200;

export type Settings = { client: Client; dailyUnits: number } | { problem: string };

/**
 * Reads the settings. From Node 24.14 on, it also sends the requests of the process through the proxies of HTTPS_PROXY,
 * HTTP_PROXY and NO_PROXY.
 */
export function settingsFrom(env: Readonly<Record<string, string | undefined>>): Settings {
  const { SHOPSCOPE_API_KEY: apiKey, SHOPSCOPE_BASE_URL: baseUrl, SHOPSCOPE_MCP_DAILY_UNITS: units } = env;
  if (!apiKey) return { problem: 'set SHOPSCOPE_API_KEY to an API key' };
  if (!baseUrl) return { problem: 'set SHOPSCOPE_BASE_URL to the address of the service' };
  const dailyUnits = units === undefined || units === '' ? defaultDailyUnits : Number(units);
  if (!Number.isSafeInteger(dailyUnits) || dailyUnits < 0) {
    return { problem: 'SHOPSCOPE_MCP_DAILY_UNITS must be a whole number of units' };
  }
  try {
    http.setGlobalProxyFromEnv?.(env);
  } catch {
    return { problem: 'HTTPS_PROXY or HTTP_PROXY is not an address of a proxy' };
  }
  try {
    return { client: createClient({ apiKey, baseUrl, userAgent: 'shopscope-mcp' }), dailyUnits };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
