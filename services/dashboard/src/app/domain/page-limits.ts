import { pace, type QueuedRequest, type Share } from './share.ts';

/**
 * How much of an instance one caller may use: settings of the service.
 *
 * A page takes about 10 ms of the one thread of an instance. A person at the limit therefore uses a tenth of the thread.
 *
 * - A person who clicks three times a second beside three visible pages with new figures every 5 s needs 4 pages a second.
 * - Fifty people behind one address with two visible pages each need 20 pages a second, and 30 while they work.
 * - The first page of a browser loads about forty files.
 */
export const defaultPageLimits = {
  ASSETS_PER_MINUTE_PER_ADDRESS: 12_000,
  REQUESTS_PER_MINUTE_PER_ADDRESS: 6_000,
  PAGES_PER_MINUTE_PER_PERSON: 300,
  PAGES_AT_ONCE_PER_PERSON: 8,
  PAGES_PER_MINUTE_PER_WORKSPACE: 3_000,
  PAGES_AT_ONCE_PER_WORKSPACE: 48,
  PAGES_PER_MINUTE_PER_ADDRESS: 3_000,
  PAGES_AT_ONCE_PER_ADDRESS: 96,
  ANONYMOUS_PAGES_PER_MINUTE_PER_ADDRESS: 600,
  ANONYMOUS_PAGES_AT_ONCE_PER_ADDRESS: 16,
};

export type PageLimitSettings = typeof defaultPageLimits;

/** The caller for whom a request counts. */
export interface Visitor {
  /** The network address; of an IPv6 address, the /64 prefix. */
  address: string;
  userId?: string | undefined;
  /** The workspace in the path, if the person is a member of it. */
  workspaceId?: string | undefined;
}

/** Six renderings run at the same time, so no caller can use all of them. */
const runningOfPerson = 2;
const runningOfAddress = 3;
/** The number of requests that begin within 10 ms. A browser sends six at the same time. */
const requestsOfAddress = 8;
/** As many requests as the rate admits in the time that a request may wait. */
const waiting = { ofPerson: 25, ofAnonymous: 50, ofMany: 200, ofAssets: 2_000 };
/** Pages for everybody, in addition to the limit of 300 in a minute: crawlers read them at an even pace. */
const publicPages = { ...pace(300, { burstSeconds: 6 }), atOnce: 8, running: runningOfPerson, waiting: 30 };
/** Pages that need a call of the profiles service. */
const corpus: Share = { key: 'corpus', bounds: { atOnce: 4 } };
/** A form costs one more page per this many bytes, because reading a large body takes as much work as several pages. */
const bytesPerPage = 64 * 1024;

export type PageLimits = ReturnType<typeof createPageLimits>;

/** Returns how requests count in the queues of an instance. */
export function createPageLimits(settings: PageLimitSettings) {
  const bounds = {
    asset: {
      ...pace(settings.ASSETS_PER_MINUTE_PER_ADDRESS, { burstSeconds: 5 }),
      running: requestsOfAddress,
      waiting: waiting.ofAssets,
    },
    request: {
      ...pace(settings.REQUESTS_PER_MINUTE_PER_ADDRESS, { burstSeconds: 1 }),
      running: requestsOfAddress,
      waiting: waiting.ofMany,
    },
    person: {
      ...pace(settings.PAGES_PER_MINUTE_PER_PERSON, { burstSeconds: 3 }),
      atOnce: settings.PAGES_AT_ONCE_PER_PERSON,
      running: runningOfPerson,
      waiting: waiting.ofPerson,
    },
    workspace: {
      ...pace(settings.PAGES_PER_MINUTE_PER_WORKSPACE, { burstSeconds: 6 }),
      atOnce: settings.PAGES_AT_ONCE_PER_WORKSPACE,
      running: runningOfAddress,
      waiting: waiting.ofMany,
    },
    address: {
      ...pace(settings.PAGES_PER_MINUTE_PER_ADDRESS, { burstSeconds: 6 }),
      atOnce: settings.PAGES_AT_ONCE_PER_ADDRESS,
      running: runningOfAddress,
      waiting: waiting.ofMany,
    },
    anonymous: {
      ...pace(settings.ANONYMOUS_PAGES_PER_MINUTE_PER_ADDRESS, { burstSeconds: 6 }),
      atOnce: settings.ANONYMOUS_PAGES_AT_ONCE_PER_ADDRESS,
      running: runningOfPerson,
      waiting: waiting.ofAnonymous,
    },
  };
  const whose = { person: 'your account', workspace: 'your workspace', address: 'your network' };
  const share = (kind: keyof typeof bounds, of: string, owner: string): Share => ({
    key: `${kind} ${of}`,
    whose: owner,
    bounds: bounds[kind],
  });

  return {
    /** Every request of an address, even an invalid one. */
    request: (address: string, { isAsset }: { isAsset: boolean }): QueuedRequest => ({
      turn: address,
      shares: [share(isAsset ? 'asset' : 'request', address, whose.address)],
    }),
    /** A page that is rendered for one visitor. */
    page({ address, userId, workspaceId }: Visitor, bodyBytes: number): QueuedRequest {
      const cost = 1 + Math.floor(bodyBytes / bytesPerPage);
      const ofAddress = share('address', address, whose.address);
      if (userId === undefined)
        return {
          turn: `address ${address}`,
          shares: [share('anonymous', address, whose.address), ofAddress],
          isStranger: true,
          cost,
        };
      const shares = [share('person', userId, whose.person), ofAddress];
      if (workspaceId === undefined) return { turn: `person ${userId}`, shares, cost };
      shares.push(share('workspace', workspaceId, whose.workspace));
      return { turn: `workspace ${workspaceId}`, shares, cost };
    },
    /** A page for everybody that is not in the page cache. */
    publicPage: (address: string, { isOfCorpus }: { isOfCorpus: boolean }): QueuedRequest => ({
      turn: `address ${address}`,
      isStranger: true,
      shares: [
        { key: `public ${address}`, whose: whose.address, bounds: publicPages },
        ...(isOfCorpus ? [corpus] : []),
      ],
    }),
  };
}
