import type { StartSettings } from './settings.ts';
import type { LocalState } from './state.ts';

/** What a newcomer needs first: where, with which key, and three lines to paste. */
export function welcome(settings: StartSettings, state: LocalState): string {
  const base = `http://127.0.0.1:${settings.ports.gateway}`;
  const known = state.domains?.[0] ?? 'northwind-tea.example';
  const unseen = state.unseenDomains?.[0] ?? known;
  const bearer = `-H 'Authorization: Bearer ${state.keys?.full}'`;
  return `
Shopscope is running.

  API base       ${base}
  full key       ${state.keys?.full}
  read-only key  ${state.keys?.read_only}

Read a store, ask for a scan of one that was never seen, and read it when the scan is done, seconds later:

  curl -s ${bearer} ${base}/v1/stores/${known}
  curl -s ${bearer} -H 'Content-Type: application/json' -d '{"domains":["${unseen}"],"refresh":true}' ${base}/v1/stores/enrich
  curl -sf --retry 15 --retry-delay 1 --retry-all-errors ${bearer} ${base}/v1/stores/${unseen}

  ${state.domains?.length ?? 0} demo stores are in the corpus; their names, the process ids and the addresses are in ${settings.readyFile}
  Contract: ${base}/v1/openapi.json    Logs: ${settings.stateDir}/logs    Stop: Ctrl-C
`;
}
