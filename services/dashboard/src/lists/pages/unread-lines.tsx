import { ForeignText } from '../../app/components/foreign-text.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { Notice } from '../../app/components/page.tsx';
import type { ImportPlan, Lines } from '../domain/import-plan.ts';

/** The lines of a file that an import leaves out, with their numbers. */
export function UnreadLines({ bad, badIds, duplicates }: Omit<ImportPlan, 'stores'>) {
  if (bad.count + badIds.count + duplicates.count === 0) return null;
  return (
    <Notice kind={bad.count + badIds.count > 0 ? 'warning' : 'info'} title="Some lines are left out">
      <Kind lines={bad} one="line has" many="lines have" rest="no domain" />
      <Kind lines={badIds} one="line has" many="lines have" rest="an id that is too long or has invisible characters" />
      <Kind lines={duplicates} one="line repeats" many="lines repeat" rest="a domain. The first line counts" />
    </Notice>
  );
}

function Kind({ lines: { count, lines }, one, many, rest }: { lines: Lines; one: string; many: string; rest: string }) {
  if (count === 0) return null;
  return (
    <details>
      <summary className="w-fit rounded">
        {formatNumber(count)} {count === 1 ? one : many} {rest}
      </summary>
      <ul className="my-1 grid gap-0.5">
        {lines.map(({ line, text }) => (
          <li key={line}>
            Line {line}: <ForeignText text={text} max={60} />
          </li>
        ))}
      </ul>
      {count > lines.length && `and ${formatNumber(count - lines.length)} more`}
    </details>
  );
}
