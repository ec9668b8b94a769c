import { defineConfig } from 'vitest/config';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) throw new Error(`The tests need Node 24 and run on ${process.version}; start them with npm test.`);

// Workspace packages are read from their sources: nothing has to be built before a test runs.
const conditions = ['@shopscope/source'];
// kafkajs as it comes, with which the local stack asks whether Kafka is ready, sets timers below zero (decision 0019).
const quiet = ['--disable-warning=TimeoutNegativeWarning'];
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  environments: { __vitest__: { resolve: { conditions, externalConditions: conditions } } },
};

export default defineConfig({
  ...shared,
  test: {
    maxWorkers: 2,
    execArgv: quiet,
    // `npm test -- --tags-filter='!wall-clock'` leaves these tests out.
    tags: [
      {
        name: 'wall-clock',
        description: 'Waits for timers of a driver, a server or the kernel that no clock of ours moves.',
      },
    ],
    reporters: ['default', './tools/local/src/test/closing-line-reporter.ts'],
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: ['{proto,libs/*,services/*,deploy/*,tools/*}/{src,web}/**/*.test.ts'],
          execArgv: quiet,
          testTimeout: 30_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'integration',
          include: ['{libs/*,services/*,deploy/*,tools/*}/test/**/*.test.ts'],
          exclude: ['tools/faults/**'],
          globalSetup: ['./tools/local/src/test/global-setup.ts'],
          execArgv: quiet,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'faults',
          include: ['tools/faults/test/**/*.test.ts'],
          execArgv: quiet,
          // A system of its own, under load: after everything else.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
