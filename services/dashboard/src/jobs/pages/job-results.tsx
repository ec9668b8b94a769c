import { Section } from '../../app/components/page.tsx';
import { plainWords, TrailPaging, trailCursorOf } from '../../app/components/paging.tsx';
import { Table } from '../../app/components/table.tsx';
import { hasEnded } from './job-labels.tsx';
import type { JobStatus } from './load-job.ts';
import { resultColumns } from './result-columns.tsx';

/** A page of the results of an enrichment. */
export function JobResults({ status, trail, base }: { status: JobStatus; trail: readonly string[]; base: string }) {
  const { job, results } = status;
  const isOver = hasEnded(job);
  return (
    <Section
      title="Results"
      note={
        isOver
          ? 'By domain. Reading them bills nothing'
          : 'By domain. Each page can get more results until the job ends'
      }
    >
      {!results || results.rows.length === 0 ? (
        <p className="text-quiet">{isOver ? 'The job has no results.' : 'There are no results yet.'}</p>
      ) : (
        <Table
          label="Results"
          columns={resultColumns(`${base}/stores`)}
          rows={results.rows}
          keyOf={({ domain }) => domain}
        />
      )}
      <TrailPaging
        label="Pages of results"
        name="page"
        trail={trail}
        older={results?.next && trailCursorOf(results.next)}
        words={plainWords}
      />
    </Section>
  );
}
