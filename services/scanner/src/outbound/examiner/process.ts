import { examinations } from '../../domain/examination.ts';
import type { ExaminationRequest, ExaminerMessage, ExaminerOutcome } from './protocol.ts';

/**
 * The entry of the examiner process. It examines one input at a time for the scanner that started it.
 *
 * - An examination throws -> a failure is returned, and the process continues.
 * - The scanner has ended -> the process ends.
 * - SIGINT and SIGTERM are ignored. A terminal sends them to all processes, and the scanner ends this one after its scans.
 */
const send = (outcome: ExaminerOutcome) => {
  const { user, system } = process.cpuUsage();
  process.send?.({ ...outcome, cpuMs: (user + system) / 1_000 } satisfies ExaminerMessage);
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());
process.on('message', ({ kind, input }: ExaminationRequest) => {
  try {
    send({ type: 'result', result: examinations[kind](input as never) });
  } catch (error) {
    send({ type: 'failure', error });
  }
});

// The first examination compiles the rules. That time must not count as time of a page.
const page = { url: 'https://shop.example/', status: 200, headers: {}, setCookies: [], body: new Uint8Array() };
examinations.home({
  domain: 'shop.example',
  visit: { page: { ...page, ending: 'whole' }, resources: [], dns: {}, certificate: undefined },
});
send({ type: 'ready' });
