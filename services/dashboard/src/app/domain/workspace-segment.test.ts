import { describe, expect, it } from 'vitest';
import { segmentOf, tenantOfSegment } from './workspace-segment.ts';

describe('the segment of a workspace', () => {
  it.each(['live', 'test'] as const)(
    'a segment of the environment %s names its workspace and environment',
    (environment) => {
      const tenant = { workspaceId: 'ws_01kandxv3w9p', environment };
      expect(tenantOfSegment(segmentOf(tenant))).toEqual(tenant);
    },
  );

  it('a live segment is the id of the workspace', () => {
    expect(segmentOf({ workspaceId: 'ws_01kandxv3w9p', environment: 'live' })).toBe('ws_01kandxv3w9p');
  });
});
