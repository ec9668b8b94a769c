import { type Corpus, generatedDomain, generatedStoreCount } from '@shopscope/demo-stores';
import { dashboardUrl } from './services.ts';
import type { StartSettings } from './settings.ts';
import type { LocalState } from './state.ts';

/** The greeting: addresses, keys, commands that work now, and the current corpus. */
export function welcome(settings: StartSettings, state: LocalState, corpus: Corpus): string {
  const base = `http://127.0.0.1:${settings.ports.gateway}`;
  const { intro, lines } = commands(base, `-H 'Authorization: Bearer ${state.keys?.full}'`, corpus);
  return `
Shopscope is running.

  API base       ${base}
  test key       ${state.keys?.test}
  full key       ${state.keys?.full}
  read-only key  ${state.keys?.read_only}

  dashboard      ${dashboardUrl(settings)}
${signIns(state)}

  documentation  ${dashboardUrl(settings)}/docs
  for its examples, which the test tenant answers free of charge:

  export SHOPSCOPE_BASE_URL=${base} SHOPSCOPE_API_KEY=${state.keys?.test}

${intro}:

${lines.map((line) => `  ${line}`).join('\n')}

${[...corpusLines(corpus), generatedLine].join('\n')}

  Names, process ids and addresses: ${settings.readyFile}
  Contract: ${base}/v1/openapi.json    Logs: ${settings.stateDir}/logs    Stop: Ctrl-C
`;
}

const signIns = ({ people }: Pick<LocalState, 'people'>) =>
  Object.entries(people ?? {})
    .map(([role, { email, password }]) => `    ${role.padEnd(12)} ${email}  password: ${password}`)
    .join('\n');

/** Commands that work now. A store that was scanned since the fill is not offered as a new one. */
function commands(base: string, bearer: string, { domains, changed, unseen }: Corpus) {
  const intro: string[] = [];
  const lines: string[] = [];
  const read = (domain: string) => `curl -s ${bearer} ${base}/v1/stores/${domain}`;
  const enrich = (body: unknown) =>
    `curl -s ${bearer} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}' ${base}/v1/stores/enrich`;
  if (domains[0]) {
    intro.push('Read a store');
    lines.push(read(domains[0]));
  }
  const shown = mostChanged(changed);
  if (shown) {
    intro.push('see what has changed at one, and search the changes of all of them');
    const { domain, type } = shown;
    lines.push(`${read(domain)}/history`, `curl -s ${bearer} '${base}/v1/signals?type=${type}&limit=5'`);
  }
  if (unseen[0]) {
    intro.push('ask for a scan of one that was never seen, and read it when the scan is done, seconds later');
    lines.push(enrich({ domains: [unseen[0]], refresh: true }));
    lines.push(`curl -sf --retry 15 --retry-delay 1 --retry-all-errors ${bearer} ${base}/v1/stores/${unseen[0]}`);
  } else if (domains.length > 1) {
    intro.push('read several at once');
    lines.push(enrich({ domains: domains.slice(0, 2) }));
  }
  return { intro: intro.join('; '), lines };
}

/** The store with the most signals, and the type of one that two observations confirm, if it has such a signal. */
function mostChanged(changed: Corpus['changed']): { domain: string; type: string } | undefined {
  const [most] = Object.entries(changed).toSorted(([, a], [, b]) => b.length - a.length);
  if (!most) return undefined;
  const [domain, types] = most;
  return { domain, type: types.find((type) => type === 'technology_removed') ?? types[0] ?? '' };
}

const generatedLine = `Beside them, ${generatedDomain(1)} to ${generatedDomain(generatedStoreCount)} are generated, so that searches and counts find something.`;

function corpusLines({ domains, changed, failed, unseen }: Corpus): string[] {
  const failures = Object.entries(failed);
  const total = domains.length + failures.length + unseen.length;
  const changes = Object.entries(changed).map(([domain, types]) => `${domain} (${[...new Set(types)].join(', ')})`);
  return [
    `${domains.length} of ${total} demo stores are in the corpus.`,
    ...(changes.length > 0 ? [`  ${changes.length} have changed since their first scan: ${changes.join(', ')}`] : []),
    ...(unseen.length > 0 ? [`  ${unseen.length} were never scanned, for you to request: ${unseen.join(', ')}`] : []),
    ...failures.map(([domain, reason]) => `  ${domain} is not in it: ${reason}`),
  ];
}
