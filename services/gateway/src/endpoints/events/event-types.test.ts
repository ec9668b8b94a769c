import { expect, it } from 'vitest';
import { isListJob } from '../jobs/job-owners.ts';
import { eventTypeEntries } from './event-types.ts';

interface JobExample {
  related: { id: string; url: string };
  data: { job_id: string; type?: string };
}

const jobEvents = eventTypeEntries
  .map(({ type, exampleOf }) => ({ type, example: exampleOf('https://api.example') as unknown as JobExample }))
  .filter(({ example }) => 'job_id' in example.data);

it('scans and other jobs have events', () => {
  expect(jobEvents.map(({ type }) => type)).toEqual(['scan.completed', 'scan.failed', 'job.finished']);
});

it.each(jobEvents)(
  'the example of $type relates to its job, whose id is one of that kind of job',
  ({ example: { data, related } }) => {
    expect(related).toMatchObject({ id: data.job_id, url: `https://api.example/v1/jobs/${data.job_id}` });
    expect(isListJob(data.job_id)).toBe(data.type === 'enrich');
  },
);
