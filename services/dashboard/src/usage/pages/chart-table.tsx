import { formatNumber } from '../../app/components/formats.ts';
import { sum } from './scale.ts';

export interface ChartTableRow {
  id: string;
  name: string;
  /** One value per column. Undefined if it was not recorded. */
  values: readonly number[] | undefined;
  note?: string | undefined;
}

/** The values of a chart as a table, for people who cannot see the chart or need its numbers. */
export function ChartTable(props: {
  label: string;
  first: string;
  columns: readonly string[];
  rows: readonly ChartTableRow[];
}) {
  const { label, first, columns, rows } = props;
  const hasTotal = columns.length > 1;
  const withTotal = (values: readonly number[]) => (hasTotal ? [...values, sum(values)] : values);
  const headers = hasTotal ? [...columns, 'Total'] : columns;
  return (
    <details className="group text-sm">
      <summary className="w-fit rounded py-1 text-quiet hover:text-text">
        <span className="group-open:hidden">Show as table</span>
        <span className="hidden group-open:inline">Hide the table</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard. */}
      <section aria-label={label} tabIndex={0} className="mt-2 max-h-[420px] overflow-auto rounded border">
        <table className="w-full border-collapse text-left">
          <thead>
            <tr>
              <th scope="col" className={headClass}>
                {first}
              </th>
              {headers.map((column, index) => (
                // A key of the API may have the label Total.
                <th key={index} scope="col" className={`${headClass} text-right`}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, name, values, note }) => (
              <tr key={id} className="border-t">
                <th scope="row" className="px-3 py-1.5 font-normal whitespace-nowrap">
                  {name}
                  {note && <span className="text-quiet"> ({note})</span>}
                </th>
                {headers.map((_, index) => (
                  <td key={index} className="px-3 py-1.5 text-right">
                    {values ? (
                      <span className="amount">{formatNumber(withTotal(values)[index] ?? 0)}</span>
                    ) : (
                      'not recorded'
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

const headClass = 'sticky top-0 bg-sunken px-3 py-1.5 text-xs font-medium text-quiet';
