import { describe, expect, it } from 'vitest';
import { readYaml, rules } from './rule-files.ts';

interface Matching {
  source_matchers: string[];
  target_matchers: string[];
}

const names = new Set(rules.map(({ alert }) => alert));
const { route, receivers, inhibit_rules: inhibitions } = readYaml('alertmanager.yaml');

const alertsOf = (matchers: string[]) =>
  matchers.flatMap((matcher) => /^alertname=~?"([^"]+)"$/.exec(matcher)?.[1]?.split('|') ?? []);

describe('example for Alertmanager', () => {
  it('the example for Alertmanager has a route for each severity of alerts, to an existing receiver', () => {
    const routed = route.routes.map(
      ({ matchers }: { matchers: string[] }) => /severity="(\w+)"/.exec(matchers[0] ?? '')?.[1],
    );
    expect(new Set(routed)).toEqual(new Set(rules.map(({ labels }) => labels.severity)));
    const known = receivers.map(({ name }: { name: string }) => name);
    for (const { receiver } of [route, ...route.routes]) expect(known).toContain(receiver);
  });

  it('the example for Alertmanager has only existing alerts as sources and targets of inhibition', () => {
    for (const { source_matchers, target_matchers } of inhibitions as Matching[]) {
      const [sources, targets] = [alertsOf(source_matchers), alertsOf(target_matchers)];
      expect(sources.length * targets.length).toBeGreaterThan(0);
      expect([...sources, ...targets].filter((name) => !names.has(name))).toEqual([]);
      expect(targets.filter((name) => sources.includes(name))).toEqual([]);
    }
  });

  it('the example for Alertmanager inhibits no alert about possibly lost money', () => {
    const inhibited = (inhibitions as Matching[]).flatMap(({ target_matchers }) => alertsOf(target_matchers));
    const money = [
      ...['OutcomeUnknown', 'UsageLate', 'UsageRefused', 'ReservationsNotReturned', 'UnitsStranded'],
      ...['AllowanceRepaired', 'DeadLetters', 'DeadLettersOfUsage', 'BackupsMissing'],
    ];
    expect(inhibited.filter((name) => money.includes(name))).toEqual([]);
  });
  it('the example for Alertmanager sends the Watchdog at once and every minute, and to nobody else', () => {
    const watchdog = { receiver: 'dead-mans-switch', group_wait: '0s', group_interval: '1m', repeat_interval: '1m' };
    expect(route.routes[0]).toMatchObject({ ...watchdog, matchers: ['severity="none"'] });
    expect(
      route.routes.slice(1).filter(({ receiver }: { receiver: string }) => receiver === watchdog.receiver),
    ).toEqual([]);
  });
});
