import type { ReactNode } from 'react';

export interface Column<Row> {
  header: string;
  cell(row: Row): ReactNode;
  /** Numbers are aligned to the right. */
  align?: 'right';
  /** Whether the cell is left out of the card on phones. A cell without content is always left out. */
  wideOnly?: boolean;
  /** Whether only screen readers get the header. For a column of actions. */
  hideHeader?: boolean;
  /** The CSS classes of the cells, for example a width. */
  className?: string;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** The title above the rows of the same group. */
  groupOf?(row: Row): string;
  isQuiet?(row: Row): boolean;
}

/** Rows of 40 px with a sticky header. On phones, each row becomes a card whose first line is the first column. */
export function Table<Row>({ label, columns, rows, keyOf, groupOf = () => '', isQuiet }: TableProps<Row>) {
  return (
    <table aria-label={label} className="block w-full border-collapse text-left md:table">
      <thead className="sr-only md:not-sr-only md:table-header-group">
        <tr>
          {columns.map(({ header, align, hideHeader }) => (
            <th
              key={header}
              scope="col"
              className={`sticky top-0 h-9 border-b bg-page px-3 text-xs font-medium whitespace-nowrap text-quiet first:pl-0 last:pr-0 ${align === 'right' ? 'text-right' : ''}`}
            >
              {hideHeader ? <span className="sr-only">{header}</span> : header}
            </th>
          ))}
        </tr>
      </thead>
      {[...Map.groupBy(rows, groupOf)].map(([group, members]) => (
        <tbody key={group} className={`grid gap-2 md:table-row-group ${group === '' ? '' : 'mb-4'}`}>
          {group !== '' && (
            <tr className="block md:table-row">
              <th
                scope="rowgroup"
                colSpan={columns.length}
                className="block font-semibold [overflow-wrap:anywhere] md:table-cell md:border-b md:pt-5 md:pb-1.5"
              >
                {group}
              </th>
            </tr>
          )}
          {members.map((row) => (
            <tr
              key={keyOf(row)}
              className={`grid gap-1 rounded border bg-raised p-3 md:table-row md:rounded-none md:border-0 md:bg-transparent md:p-0 md:hover:bg-sunken ${isQuiet?.(row) ? 'text-quiet' : ''}`}
            >
              {columns.map(({ header, cell, align, wideOnly, hideHeader, className = '' }, position) => {
                const content = cell(row);
                const isHidden = wideOnly || content === undefined || content === null || content === false;
                return (
                  <td
                    key={header}
                    className={`items-baseline justify-between gap-4 md:table-cell md:h-10 md:border-b md:px-3 md:py-1.5 md:first:pl-0 md:last:pr-0 ${isHidden ? 'hidden' : 'flex'} ${align === 'right' ? 'md:text-right' : ''} ${hideHeader ? 'justify-end' : ''} ${className}`}
                  >
                    {position > 0 && header !== '' && !hideHeader && (
                      <span className="text-sm whitespace-nowrap text-quiet md:hidden">{header}</span>
                    )}
                    <span className="min-w-0">{content}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}
