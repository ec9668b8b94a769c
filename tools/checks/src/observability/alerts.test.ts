import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readSettings, servicePorts } from '@shopscope/local';
import { describe, expect, it } from 'vitest';
import { kafkaAccess } from '../../../../deploy/access/src/kafka/table.ts';
import { anchorsOf } from '../documents/markdown.ts';
import { readYaml, ruleFilesOf, rules, rulesOf } from './rule-files.ts';

/** Checks that everything that deploy/observability and deploy/runbooks name exists in the code. */
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

const alerts = rules.map(({ alert, expr, labels, annotations }) => {
  const [, page = '', section] =
    /^{{ \$externalLabels\.runbooks }}\/([\w-]+\.md)(?:#(.+))?$/.exec(annotations.runbook_url) ?? [];
  return { name: alert, expr, severity: labels.severity, summary: annotations.summary, page, section };
});

const panels = JSON.parse(read('deploy/observability/dashboard.json')).panels as { targets?: { expr: string }[] }[];
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
/** The rules about data servers name the metrics of exporters. */
const foreign = rulesOf('alerts-data-servers.yaml').map(({ alert }) => alert);
const ownAlerts = alerts.filter(({ name }) => !foreign.includes(name));
const expressions = [...ownAlerts.map(({ expr }) => expr), ...queries];

/** Sources without tests, including the process metrics of every service. */
const sources = globSync('{libs/*,services/*,tools/backup}/src/**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.test.ts'))
  .concat('proto/src/events.ts', globSync('node_modules/prom-client/lib/metrics/*.js', { cwd: root }))
  .map(read)
  .join('\n');
const isNamed = (word: string) => sources.includes(`'${word}'`) || sources.includes(`"${word}"`);

const topics = Object.values(kafkaAccess).flatMap(({ publishes }) => publishes);
const isTopic = (pattern: string) => topics.some((topic) => new RegExp(`^(?:${pattern})$`).test(topic));

const functions = new Set(['histogram_quantile', 'min_over_time', 'max_over_time', 'absent_over_time', 'group_left']);

function metricsOf(expression: string): string[] {
  const bare = expression.replaceAll(/"[^"]*"/g, '').replaceAll(/\{[^}]*\}|\b(by|on) \([^)]*\)|\$\w+/g, ' ');
  return [...bare.matchAll(/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g)]
    .map(([word]) => word)
    .filter((w) => !functions.has(w));
}

/** Histograms have three more names. */
const baseOf = (metric: string) => (isNamed(metric) ? metric : metric.replace(/_(bucket|sum|count)$/, ''));

/** The single values of `label="a"` and `label=~"a|b"`. */
const matchersOf = (expression: string) =>
  [...expression.matchAll(/(\w+)(?:=~|!=|!~|=)"([^"]*)"/g)].flatMap(([, label = '', values = '']) =>
    values.split('|').map((value) => ({ label, value })),
  );

/** The labels of each selector `metric{a="b"}`. */
const selectorsOf = (expression: string) =>
  [...expression.matchAll(/\b(\w+)\{([^}]*)\}/g)].flatMap(([, metric = '', matchers = '']) =>
    [...matchers.matchAll(/(\w+)(?:=~|!=|!~|=)"/g)].map(([, label = '']) => ({ metric, label })),
  );

/** The source of a metric's definition, from its name to the end of the call that creates it. */
function definitionsOf(metric: string): string[] {
  const [, ...parts] = sources.split(`'${metric}'`);
  return parts.map((part) => {
    let open = 1;
    for (const { 0: bracket, index } of part.matchAll(/[()]/g)) {
      open += bracket === '(' ? 1 : -1;
      if (open === 0) return part.slice(0, index);
    }
    return '';
  });
}

const isLabelOf = (metric: string, label: string) =>
  metric === 'up' || definitionsOf(metric).some((definition) => definition.includes(`'${label}'`));

const runbooks = readdirSync(`${root}deploy/runbooks`).filter((name) => name.endsWith('.md') && name !== 'README.md');

describe('alerts and the dashboard', () => {
  it('the test of alerts finds the alerts and the panels of the dashboard', () => {
    expect(alerts.length).toBeGreaterThan(15);
    expect(alerts.filter(({ expr }) => expr.trim() === '')).toEqual([]);
    expect(queries.length).toBeGreaterThan(20);
    expect(ownAlerts.flatMap(({ expr }) => metricsOf(expr))).toContain('http_request_duration_seconds_bucket');
  });

  it('alerts and the dashboard name only metrics that exist in the code', () => {
    const unknown = expressions.flatMap(metricsOf).filter((metric) => !isNamed(baseOf(metric)));
    expect([...new Set(unknown)]).toEqual([]);
  });

  it('alerts and the dashboard use only labels and values that exist in the code', () => {
    // HTTP statuses are numbers. The codes of gRPC clients come from the gRPC library.
    const given = ({ label, value }: { label: string; value: string }) =>
      isNamed(label) &&
      (label === 'topic' ? isTopic(value) : label === 'status' || /^[A-Z_]+$/.test(value) || isNamed(value));
    const unknown = expressions
      .flatMap(matchersOf)
      .filter((matcher) => matcher.value !== '' && matcher.label !== 'service' && !given(matcher));
    expect(unknown).toEqual([]);
    const foreign = expressions
      .flatMap(selectorsOf)
      .filter(({ metric, label }) => label !== 'service' && !isLabelOf(baseOf(metric), label));
    expect(foreign).toEqual([]);
    const services = expressions.flatMap(matchersOf).filter(({ label, value }) => label === 'service' && value !== '');
    const isProgram = (name: string) =>
      ['services', 'tools'].some((folder) => existsSync(`${root}${folder}/${name}/src`));
    expect(services.filter(({ value }) => !isProgram(value))).toEqual([]);
  });
});

describe('alerts', () => {
  it('alerts have a severity and a summary, and only the Watchdog reaches no person', () => {
    const ofNone = alerts.filter(({ severity }) => severity !== 'page' && severity !== 'ticket');
    expect(ofNone).toEqual([expect.objectContaining({ name: 'Watchdog', severity: 'none' })]);
    expect(alerts.filter(({ summary }) => !summary)).toEqual([]);
  });

  it('alerts have a URL whose runbook and section exist, and every configuration names the folder of the runbooks', () => {
    const broken = alerts.filter(({ page, section }) => {
      const path = `deploy/runbooks/${page}`;
      return !runbooks.includes(page) || (section !== undefined && !anchorsOf(path).has(section));
    });
    expect(broken.map(({ name }) => name)).toEqual([]);
    for (const configuration of ['prometheus.yaml', 'prometheus-local.yaml'])
      expect(readYaml(configuration).global.external_labels.runbooks).toMatch(/^https:\/\/.+\/deploy\/runbooks$/);
  });

  it('alerts are loaded by the configuration for Kubernetes, and those about services by the local one too', () => {
    expect(ruleFilesOf('prometheus.yaml')).toEqual(
      [...ruleFilesOf('prometheus-local.yaml'), 'alerts-data-servers.yaml'].sort(),
    );
    expect(ruleFilesOf('prometheus-local.yaml').length).toBeGreaterThan(7);
  });

  it('alerts count failed requests by their fault, because callers can cause a 501 and the 503 of a limit', () => {
    const ofStatus = alerts.filter(({ expr }) =>
      matchersOf(expr).some(({ label, value }) => label === 'status' && value.startsWith('5')),
    );
    expect(ofStatus.map(({ name }) => name)).toEqual([]);
    const failing = alerts.filter(({ name }) => /^(?:Responses|Dashboard|McpMessages)Failing$/.test(name));
    expect(failing).toHaveLength(3);
    for (const { expr } of failing) {
      const [counted = '', among = '', atLeast = ''] = [...expr.matchAll(/\{[^}]*\}/g)].map(([selector]) => selector);
      expect([counted, atLeast]).toEqual([expect.stringContaining('fault="service"'), counted]);
      expect(among).not.toContain('fault');
    }
  });

  it('alerts read no data of the test environment, except deletions of workspaces', () => {
    const selectors = ownAlerts.flatMap(({ name, expr }) =>
      [...expr.matchAll(/\b([a-z]\w*_\w+)(\{[^}]*\})?/g)].map(([, metric = '', matchers = '']) => ({
        name,
        metric,
        matchers,
      })),
    );
    const ofBoth = selectors.filter(({ metric }) => isLabelOf(baseOf(metric), 'environment'));
    expect(ofBoth.length).toBeGreaterThan(15);
    const ofTest = ofBoth.filter(({ matchers }) => !/environment="live"|kind="workspace"/.test(matchers));
    expect(ofTest).toEqual([]);
  });

  it('alerts are described in their runbook, and the runbook is in the index', () => {
    const index = read('deploy/runbooks/README.md');
    const text = (page: string) => read(`deploy/runbooks/${page}`);
    expect(alerts.filter(({ name, page }) => !text(page).includes(`\`${name}\``))).toEqual([]);
    expect(alerts.filter(({ name }) => !index.includes(name))).toEqual([]);
    expect(runbooks.filter((name) => !index.includes(`(${name})`))).toEqual([]);
  });

  it('alerts reference every runbook', () => {
    const linked = new Set(alerts.map(({ page }) => page));
    expect(runbooks.filter((name) => !linked.has(name))).toEqual([]);
  });
});

describe('runbooks', () => {
  const texts = [...runbooks, 'README.md'].map((name) => ({ name, text: read(`deploy/runbooks/${name}`) }));

  it('runbooks load on-call.sh before they use its functions', () => {
    const call = /^(?:metric|logs|ready|follow|charge|dlq|kafka) |\$\((?:mongo_url|redis_url)/m;
    const first = ({ text }: { text: string }) => text.search(call);
    const users = texts.filter(({ name, text }) => name !== 'README.md' && call.test(text));
    expect(users.length).toBeGreaterThan(15);
    const late = users.filter((each) => {
      const loaded = each.text.indexOf('\n. deploy/runbooks/on-call.sh\n');
      return loaded < 0 || loaded > first(each);
    });
    expect(late.map(({ name }) => name)).toEqual([]);
  });

  it('runbooks search the logs only for texts that the code logs', () => {
    const searched = texts.flatMap(({ text }) =>
      [...text.matchAll(/\| grep (?:-\w+ )?'([a-z][a-z |-]*)'/g)].flatMap(([, pattern = '']) => pattern.split('|')),
    );
    expect(searched.length).toBeGreaterThan(8);
    expect(searched.filter((part) => !sources.includes(part))).toEqual([]);
  });

  it('runbooks name only metrics that exist in the code, and have only valid links', () => {
    const metric =
      /\b(?:http|gateway|grpc|metering|profiles|scan|scanner|kafka|outbox|mongodb|redis|mcp)_[a-z_]+_(?:total|seconds|lag|available|blocked|depth|hand|items)\b/g;
    const unknown = texts
      .flatMap(({ text }) => [...text.matchAll(metric)].map(([word]) => word))
      .filter((w) => !isNamed(w));
    expect([...new Set(unknown)]).toEqual([]);
    const broken = texts.flatMap(({ name, text }) =>
      [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
        .filter(([, target]) => !existsSync(`${root}deploy/runbooks/${target}`))
        .map(([, target]) => `${name}: ${target}`),
    );
    expect(broken).toEqual([]);
  });
});

describe('scrape configuration for npm start', () => {
  it('the scrape configuration for npm start has the admin port of each service', () => {
    const line = /targets: \[['"]127\.0\.0\.1:(\d+)['"]\], labels: \{ service: ([\w-]+) \}/g;
    const targets = [...read('deploy/observability/prometheus-local.yaml').matchAll(line)].map(([, port, service]) => ({
      port: Number(port),
      service,
    }));
    const ports = servicePorts(readSettings({}, []));
    // The admin port of a service is its last one.
    const expected = [...Map.groupBy(ports, ({ what }) => what)]
      .filter(([what]) => existsSync(`${root}services/${what}`))
      .map(([service, own]) => ({ service, port: own.at(-1)?.port }));
    expect(new Set(targets.map((t) => `${t.service} ${t.port}`))).toEqual(
      new Set(expected.map((t) => `${t.service} ${t.port}`)),
    );
  });
});
