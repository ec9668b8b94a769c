import { defineConfig } from 'vitest/config';
import { longFilesFirst } from './tools/local/src/test/long-files-first.ts';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) throw new Error(`The tests need Node 24 and run on ${process.version}; start them with npm test.`);

// Workspace packages are read from their sources: nothing has to be built before a test runs.
const conditions = ['@shopscope/source'];
// kafkajs as it comes, with which the local stack asks whether Kafka is ready, sets timers below zero.
const quiet = ['--disable-warning=TimeoutNegativeWarning'];
// Processes that a service starts take these arguments over, and read packages from their sources too.
const execArgv = [...quiet, ...conditions.map((condition) => `--conditions=${condition}`)];
// Each of these files starts data servers of its own and takes long. `npm test` without arguments leaves them out unless CI is set.
const wholeSystems = [
  'lab/faults/test/**/*.test.ts',
  'tools/local/test/npm-start.test.ts',
  'deploy/access/test/secured.test.ts',
];
// The files that take longest, more than about 25 s, the longest first. The whole systems are the first of all.
const longFiles = [
  'tools/local/test/npm-start.test.ts',
  'deploy/access/test/secured.test.ts',
  'tools/guides/test/guides.test.ts',
  'services/dashboard/test/integration/listed-stores.test.ts',
  'tools/dev-env/test/e2e/isolation/isolation.test.ts',
  'services/dashboard/test/integration/access-matrix.test.ts',
  'services/dashboard/test/integration/watched-stores.test.ts',
  'services/dashboard/test/integration/workspaces.test.ts',
  'services/dashboard/test/integration/people.test.ts',
  'tools/dev-env/test/e2e/test-tenant/test-tenant.test.ts',
  'services/subscriptions/test/integration/rescans.test.ts',
  'services/scan-scheduler/test/integration/pacing.test.ts',
  'services/dashboard/test/integration/looked-up-stores.test.ts',
  'tools/dev-env/test/e2e/dashboard/pages.test.ts',
  'tools/dev-env/test/e2e/dashboard/journey.test.ts',
  'services/subscriptions/test/integration/rescan-outages.test.ts',
  'services/gateway/test/integration/killed-document.test.ts',
  'services/subscriptions/test/integration/event-model.test.ts',
  'tools/dev-env/test/e2e/malformed/http.test.ts',
  'services/profiles/test/integration/signal-queries.test.ts',
  'services/dashboard/test/integration/public-pages.test.ts',
  'services/dashboard/test/integration/delivery-pages.test.ts',
  'tools/dev-env/test/e2e/access-matrix.test.ts',
  'services/search/test/integration/search.test.ts',
  'services/dashboard/test/integration/documentation.test.ts',
  'services/scanner/test/integration/egress.test.ts',
  'services/scan-scheduler/test/integration/fair-leases.test.ts',
  'libs/redis/test/sentinel.test.ts',
  'services/dashboard/test/integration/webhooks.test.ts',
  'packages/cli/test/commands.test.ts',
  'services/search/test/integration/outages.test.ts',
  'libs/kafka/test/outage.test.ts',
  'tools/dev-env/test/e2e/typescript-client.test.ts',
  'tools/dev-env/test/e2e/enrich-list.test.ts',
  'packages/client-python/test/python.test.ts',
];
// Waits end with their condition. The bounds are for a machine on which others work too.
const pollTimeoutMs = 60_000;
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  environments: { __vitest__: { resolve: { conditions, externalConditions: conditions } } },
};

const project = <T extends object>(name: string, test: T) => ({
  ...shared,
  test: { name, execArgv, expect: { poll: { timeout: pollTimeoutMs } }, ...test },
});

export default defineConfig({
  ...shared,
  test: {
    sequence: { sequencer: longFilesFirst(longFiles) },
    // Most integration tests wait for servers, so four of them use two cores fully.
    maxWorkers: 4,
    execArgv,
    // `npm test -- --tags-filter='!wall-clock'` leaves these tests out.
    tags: [
      {
        name: 'wall-clock',
        description: 'Waits for timers of a driver, a server or the kernel that no clock of ours moves.',
      },
      {
        name: 'nightly',
        description:
          'Takes long and rarely decides about a change. `.ci/nightly` runs these tests, `.ci/run` does not.',
      },
    ],
    reporters: ['default', './tools/local/src/test/closing-line-reporter.ts'],
    projects: [
      project('unit', {
        include: ['{proto,libs/*,packages/*,services/*,deploy/*,lab/*,tools/*}/{src,scripts}/**/*.test.ts'],
        // Unit tests change nothing outside themselves, and a worker per file would take longer than most of them.
        isolate: false,
        testTimeout: 60_000,
        // They use both cores fully, so they run when no long file is left.
        sequence: { groupOrder: 1 },
      }),
      project('integration', {
        include: ['{libs/*,packages/*,services/*,deploy/*,lab/*,tools/*}/test/**/*.test.ts'],
        exclude: wholeSystems,
        // No module keeps state that changes the result of another file. Loading the modules for each file would take a third
        // of the CPU.
        isolate: false,
        // As in the images: the dashboard renders its pages with the fast build of React.
        env: { NODE_ENV: 'production' },
        globalSetup: ['./tools/local/src/test/global-setup.ts'],
        setupFiles: ['./tools/checks/test/watch-shards.ts'],
        testTimeout: 180_000,
        hookTimeout: 240_000,
      }),
      project('systems', {
        include: wholeSystems,
        testTimeout: 180_000,
        hookTimeout: 240_000,
      }),
    ],
  },
});
