import type { AnyTenant } from '@shopscope/environment';

/**
 * The segment of a path that names a workspace and one of its environments. The path alone decides the environment of a page. A form, a
 * second tab and the back button therefore never act in another environment than the one that the page shows.
 */
const testSuffix = '-test';

export const segmentOf = ({ workspaceId, environment }: AnyTenant): string =>
  environment === 'test' ? `${workspaceId}${testSuffix}` : workspaceId;

export const tenantOfSegment = (segment: string): AnyTenant =>
  segment.endsWith(testSuffix)
    ? { workspaceId: segment.slice(0, -testSuffix.length), environment: 'test' }
    : { workspaceId: segment, environment: 'live' };
