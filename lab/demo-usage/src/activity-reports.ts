import { randomUUID } from 'node:crypto';
import { hourMs } from '@shopscope/clock';
import type { KeyActivity, UsageRecorded } from '@shopscope/proto';

/** Counts usage events by key and hour, as a gateway counts responses. Every event stands for a successful response. */
export type ReportsOf = (events: readonly UsageRecorded[]) => KeyActivity[];

/** Each run has an instance id of its own. Otherwise consumers would ignore its reports as repeated ones. */
export function createActivityReports(): ReportsOf {
  const instanceId = `demo-usage-${randomUUID()}`;
  let sequence = 0;
  return (events) => {
    const hourOf = ({ occurredAtMs }: UsageRecorded) => occurredAtMs - (occurredAtMs % hourMs);
    const byHour = Map.groupBy(events, (event) => `${event.keyId}/${hourOf(event)}`);
    return [...byHour.values()].map((ofHour) => {
      const latest = ofHour.reduce((one, other) => (one.occurredAtMs < other.occurredAtMs ? other : one));
      const { workspaceId, keyId, occurredAtMs } = latest;
      sequence += 1;
      return {
        workspaceId,
        keyId,
        instanceId,
        sequence,
        lastUsedAtMs: occurredAtMs,
        hourStartMs: hourOf(latest),
        succeeded: ofHour.length,
        clientErrors: 0,
        serverErrors: 0,
        limited: 0,
      };
    });
  };
}
