import { ManualClock } from '@shopscope/clock';
import { GatewayAck, GatewayReport, KeyChange } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { createGatewayReports } from './gateway-reports.ts';

function start() {
  const clock = new ManualClock();
  const reports = createGatewayReports({ clock });
  const receive = (report: Partial<GatewayAck>) =>
    reports.receive(GatewayAck.fromPartial({ report: GatewayReport.SERVING, atMs: clock.now(), ...report }));
  const revoked = { report: GatewayReport.KEY_CHANGE_APPLIED, change: KeyChange.KEY_REVOKED, workspaceId: 'ws_1' };
  return { clock, reports, receive, revoked };
}

it('a gateway that falls silent may serve for 10 minutes, and one that stopped may not', () => {
  const { clock, reports, receive } = start();
  receive({ instanceId: 'a' });
  receive({ instanceId: 'b' });
  expect(reports.mayServe()).toEqual(['a', 'b']);
  receive({ instanceId: 'a', report: GatewayReport.STOPPING });
  expect(reports.mayServe()).toEqual(['b']);
  clock.advance(600_000);
  expect(reports.mayServe()).toEqual(['b']);
  clock.advance(1);
  expect(reports.mayServe()).toEqual([]);
});

it('a report that arrives late does not make a gateway serve', () => {
  const { clock, reports, receive } = start();
  receive({ instanceId: 'a', atMs: clock.now() - 30_001 });
  expect(reports.mayServe()).toEqual([]);
});

it('the first acknowledgement of a revocation counts, for the key of its workspace', () => {
  const { clock, reports, receive, revoked } = start();
  const atMs = clock.now();
  receive({ ...revoked, instanceId: 'a', keyId: 'key_1', atMs });
  receive({ ...revoked, instanceId: 'a', keyId: 'key_1', atMs: atMs + 5 });
  receive({ ...revoked, instanceId: 'b', keyId: 'key_1', change: KeyChange.KEY_CREATED });
  expect([...reports.revocation('ws_1', 'key_1')]).toEqual([['a', atMs]]);
  expect([...reports.revocation('ws_2', 'key_1')]).toEqual([]);
  expect([...reports.revocation('ws_1', 'key_2')]).toEqual([]);
});

it('the reports of gateways keep the latest 1,000 revocations and gateways, and each revocation for 10 minutes', () => {
  const { clock, reports, receive, revoked } = start();
  for (let number = 0; number <= 1_000; number++) {
    receive({ ...revoked, instanceId: `gateway-${number}`, keyId: `key_${number}` });
  }
  expect([reports.mayServe().length, reports.revocation('ws_1', 'key_0').size]).toEqual([1_000, 0]);
  expect(reports.revocation('ws_1', 'key_1').size).toBe(1);
  clock.advance(600_001);
  receive({ ...revoked, instanceId: 'a', keyId: 'key_new' });
  expect(reports.revocation('ws_1', 'key_1').size).toBe(0);
});
