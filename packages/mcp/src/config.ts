/** Units per key and UTC day, when nothing else is set. */
export const defaultDailyUnits = 200;

export type Settings = { apiKey: string; baseUrl: string; dailyUnits: number } | { problem: string };

export function settingsFrom(env: Readonly<Record<string, string | undefined>>): Settings {
  const { SHOPSCOPE_API_KEY: apiKey, SHOPSCOPE_BASE_URL: baseUrl, SHOPSCOPE_MCP_DAILY_UNITS: units } = env;
  if (!apiKey) return { problem: 'set SHOPSCOPE_API_KEY to an API key' };
  if (!baseUrl) return { problem: 'set SHOPSCOPE_BASE_URL to the address of the service' };
  const dailyUnits = units === undefined || units === '' ? defaultDailyUnits : Number(units);
  if (!Number.isSafeInteger(dailyUnits) || dailyUnits < 0) {
    return { problem: 'SHOPSCOPE_MCP_DAILY_UNITS must be a whole number of units' };
  }
  return { apiKey, baseUrl, dailyUnits };
}
