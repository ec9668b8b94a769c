import { setTimeout as sleep } from 'node:timers/promises';
import {
  accountPages,
  chromiumPath,
  findPageIds,
  launchBrowser,
  newPage,
  type PageOfDashboard,
  signIn,
  type Viewport,
  viewports,
  workspacePages,
} from '@shopscope/browser';
import type { Visitor } from '@shopscope/browser/visitor';
import { cpuTimes, cpuUsPer } from './cpu.ts';
import { signedInPerson } from './dashboard-people.ts';
import { median, percentile } from './statistics.ts';
import type { Bench, RunningSystem } from './system.ts';

/** The goal for the 95th percentile of each page. */
export const pageGoalMs = 100;
/** The goal for the time until the largest element of each page is painted. */
export const paintGoalMs = 1_000;

/** The number of people who read at the same time. */
export const readers = 50;
/** The average time between the end of a page and the next page of the same reader. */
export const readingMs = 2_000;

export type PagesResult = Awaited<ReturnType<typeof measurePages>>;

/** Measures the pages of the dashboard from the request to the last byte while fifty people read, and then each page in a browser. */
export async function measurePages({ system, settings, say }: Bench) {
  const { dashboard, pids } = system;
  const people = await signedInReaders(system);
  const [first] = people as [Visitor];
  const ids = await findPageIds(async (path) => (await first.get(path)).text(), dashboard.workspaceId);
  const pages = [...workspacePages('admin', ids), ...accountPages].filter((page) => page.status === 200);
  say(`${pages.length} pages, ${readers} readers …`);
  await readAll(people, pages, settings.warmUpSeconds);
  const before = cpuTimes(pids);
  const timesMs = await readAll(people, pages, settings.pagesSeconds);
  const cpuUs = cpuUsPer([...timesMs.values()].flat().length, before, cpuTimes(pids));
  const paints = await largestPaints(dashboard, pages, say);
  const results = pages.map(({ name }) => {
    const times = timesMs.get(name) ?? [];
    const succeeded = times.filter((timeMs) => timeMs !== undefined);
    return {
      page: name,
      requests: times.length,
      p50Ms: median(succeeded),
      p95Ms: percentile(succeeded, 0.95),
      /** The number of responses other than 200 and of connection errors. */
      failures: times.length - succeeded.length,
      /** Undefined if there is no Chromium. */
      largestPaintMs: paints.get(name),
    };
  });
  return { pages: results, cpuUs };
}

/** Returns signed-in admins of one workspace who share one network address, as in an office. */
async function signedInReaders(system: RunningSystem): Promise<Visitor[]> {
  const { workspaceId } = system.dashboard;
  const people: Visitor[] = [];
  while (people.length < readers) {
    people.push(await signedInPerson(system, { name: `reader-${people.length}`, workspaceId, address: '127.0.0.1' }));
  }
  return people;
}

/** Resolves to the times of the requests of each page, in ms. The time of a failed request is undefined. */
async function readAll(people: readonly Visitor[], pages: readonly PageOfDashboard[], seconds: number) {
  const times = new Map<string, (number | undefined)[]>(pages.map(({ name }) => [name, []]));
  const endMs = performance.now() + seconds * 1_000;
  const read = async (visitor: Visitor, first: number) => {
    await sleep((readingMs * first) / readers);
    for (let n = first; performance.now() < endMs; n++) {
      const { name, path } = pages[n % pages.length] as PageOfDashboard;
      const startMs = performance.now();
      const isComplete = await visitor.get(`/${path}`).then(
        async (response) => (await response.text()) !== '' && response.status === 200,
        () => false,
      );
      times.get(name)?.push(isComplete ? performance.now() - startMs : undefined);
      await sleep(readingMs * (0.5 + Math.random()));
    }
  };
  await Promise.all(people.map(read));
  return times;
}

const visits = 3;

/** Resolves to the time from the navigation to the largest paint of each page, in ms: the median of three visits with an empty cache. */
async function largestPaints(
  { url, admin }: RunningSystem['dashboard'],
  pages: readonly PageOfDashboard[],
  say: (line: string) => void,
) {
  const paints = new Map<string, number>();
  const executable = chromiumPath(process.env.PATH ?? '');
  if (!executable) {
    say('The largest paint is not measured: there is no Chromium.');
    return paints;
  }
  const browser = await launchBrowser(executable);
  try {
    const [viewport] = viewports as [Viewport];
    const first = await newPage(browser, viewport);
    await signIn(first, url, admin);
    const signedIn = await first.context().storageState();
    for (const { name, path } of pages) {
      const times: number[] = [];
      for (let visit = 0; visit < visits; visit++) {
        const tab = await newPage(browser, viewport, { storageState: signedIn });
        await tab.goto(`${url}/${path}`, { waitUntil: 'networkidle' });
        times.push(Number(await tab.evaluate(largestPaint)));
        await tab.context().close();
      }
      paints.set(name, median(times));
    }
    return paints;
  } finally {
    await browser.close();
  }
}

const largestPaint = `new Promise((done) => {
  new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime)).observe({
    type: 'largest-contentful-paint',
    buffered: true,
  });
})`;
