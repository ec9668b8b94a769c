import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { formatNumber } from '../../app/components/formats.ts';
import { useHydrated } from '../../app/components/use-hydrated.ts';
import { ChartTable, type ChartTableRow } from './chart-table.tsx';
import { niceTicks, type Slot, slots, stack, sum } from './scale.ts';
import { fillOf, type Look, Patterns, Swatch, solidOf } from './series-styles.tsx';

export interface ChartSeries {
  id: string;
  label: string;
  look: Look;
}

export interface ChartBar {
  id: string;
  /** The full name of the bar, for example "Sat, 14 Nov 2026". */
  name: string;
  /** The label on the axis. `room`: the width of chart that it needs. */
  tick?: { text: string; room: 'any' | 'wide' } | undefined;
  /** One value per series. If undefined, the values are not known, and the chart has a gap. */
  values: readonly number[] | undefined;
  /** For example "so far". */
  note?: string | undefined;
  /** Whether the bar is in the future. Such a bar has a place, but no value. */
  isFuture?: boolean | undefined;
}

interface BarChartProps {
  title: ReactNode;
  /** The kind of the bars, for example "Day". */
  barName: string;
  /** The name of all bars together, for example "1 to 22 Nov 2026". */
  allName: string;
  /** From the bottom of the bars to the top; at most seven. */
  series: readonly ChartSeries[];
  bars: readonly ChartBar[];
  /** Further rows of the table, for values that belong to no bar. */
  furtherRows?: readonly ChartTableRow[];
  remark?: ReactNode;
  /** Shown in the plot if every value is zero. */
  emptyText: string;
}

const top = 8;
const plotHeight = 176;
const axisHeight = 24;
const height = top + plotHeight + axisHeight;
const baseline = top + plotHeight;
/** A part of a bar that is lower than this has no pattern. */
const patternPx = 6;

/**
 * Stacked bars. The server renders them; a script only adds the pointer and the keyboard.
 *
 * - Width: that of the container. Horizontal positions are percentages and vertical ones pixels, so that text keeps its size.
 * - The line above the bars shows the values of all bars, or of the bar under the pointer or the keyboard's cursor.
 * - Keyboard: the plot is a slider over the bars. Arrows, Page Up and Down, Home, End and Escape work.
 * - Without script, and on request, a table shows the values.
 */
export function BarChart(props: BarChartProps) {
  const { title, barName, allName, series, bars, furtherRows = [], remark, emptyText } = props;
  const chartId = useId();
  const [active, setActive] = useState<number>();
  const isInteractive = useHydrated();
  const known = bars.filter(({ isFuture }) => !isFuture);
  const totals = series.map((_, index) => sum(known.map(({ values }) => values?.[index] ?? 0)));
  const largest = Math.max(...bars.map(({ values }) => sum(values ?? [])), 0);
  const ticks = largest === 0 ? [0] : niceTicks(largest);
  const max = ticks.at(-1) || 1;
  const places = slots(bars.length);
  const shown = active === undefined ? undefined : known[active];
  const cursor = active ?? known.length - 1;

  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextIndex(event.key, active, known.length);
    if (next === 'none') return;
    event.preventDefault();
    setActive(next);
  };

  return (
    <figure className="grid gap-3">
      <figcaption className="font-medium">{title}</figcaption>
      <Readout
        chartId={chartId}
        name={shown ? shown.name : allName}
        note={shown?.note}
        series={series}
        values={shown ? shown.values : totals}
        widest={totals}
      />
      <div className="@container flex gap-2">
        <YAxis ticks={ticks} max={max} />
        <svg
          width="100%"
          height={height}
          className="min-w-0 overflow-visible rounded"
          role={isInteractive ? 'slider' : 'img'}
          aria-label={isInteractive ? barName : `${allName}: ${spokenValues(totals, series)}`}
          {...(isInteractive && {
            tabIndex: 0,
            'aria-valuemin': 0,
            'aria-valuemax': Math.max(0, known.length - 1),
            'aria-valuenow': Math.max(0, cursor),
            'aria-valuetext': known[cursor] && spoken(known[cursor], series),
          })}
          onKeyDown={onKeyDown}
          onFocus={(event) => event.currentTarget.matches(':focus-visible') && setActive(known.length - 1)}
          onBlur={() => setActive(undefined)}
          onPointerLeave={(event) => event.pointerType !== 'touch' && setActive(undefined)}
        >
          <Patterns chartId={chartId} used={series.map(({ look }) => look)} />
          {shown && <rect {...widthOf(places[cursor])} y="0" height={baseline} className="fill-control opacity-20" />}
          {ticks.map((tick) => (
            <line
              key={tick}
              x1="0"
              x2="100%"
              y1={yOf(tick, max)}
              y2={yOf(tick, max)}
              className={tick === 0 ? 'stroke-control' : 'stroke-line'}
              shapeRendering="crispEdges"
            />
          ))}
          {largest === 0 && (
            <text x="50%" y={top + plotHeight / 2} textAnchor="middle" className="fill-quiet text-sm">
              {emptyText}
            </text>
          )}
          {bars.map((bar, index) => (
            <Bar key={bar.id} chartId={chartId} bar={bar} place={places[index] as Slot} series={series} max={max} />
          ))}
          {known.map(({ id }, index) => (
            <rect
              key={id}
              {...widthOf(places[index])}
              y="0"
              height={height}
              fill="transparent"
              onPointerEnter={() => setActive(index)}
            />
          ))}
        </svg>
      </div>
      {remark && <p className="text-sm text-quiet">{remark}</p>}
      <ChartTable
        label={`${barName} table`}
        first={barName}
        columns={series.map(({ label }) => label)}
        rows={[...known, ...furtherRows]}
      />
    </figure>
  );
}

/** Shows the values of the bar under the cursor, or of all bars. Its size stays the same when the cursor moves. */
function Readout(props: {
  chartId: string;
  name: string;
  note: string | undefined;
  series: readonly ChartSeries[];
  values: readonly number[] | undefined;
  widest: readonly number[];
}) {
  const { chartId, name, note, series, values, widest } = props;
  return (
    <div className="grid gap-1 text-sm">
      <p>
        {name}
        {(note || !values) && <span className="text-quiet"> ({values ? note : 'not recorded'})</span>}
      </p>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {series.map(({ id, label, look }, index) => (
          <li key={id} className="flex items-baseline gap-1.5">
            <Swatch chartId={chartId} look={look} />
            <span className="max-w-[24ch] truncate text-quiet" title={label}>
              {label}
            </span>
            <span className="grid justify-items-end">
              <span aria-hidden className="amount invisible col-start-1 row-start-1">
                {formatNumber(widest[index] ?? 0)}
              </span>
              <span className="amount col-start-1 row-start-1">{values ? formatNumber(values[index] ?? 0) : '–'}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function YAxis({ ticks, max }: { ticks: readonly number[]; max: number }) {
  const width = formatNumber(max).length * 7 + 2;
  return (
    <svg width={width} height={height} aria-hidden className="shrink-0">
      {ticks.map((tick) => (
        <text key={tick} x={width} y={yOf(tick, max) + 4} textAnchor="end" className="fill-quiet text-xs tabular-nums">
          {formatNumber(tick)}
        </text>
      ))}
    </svg>
  );
}

/** The container widths from which an axis label is shown. */
const roomClasses = { any: '', wide: 'hidden @3xl:block' };

function Bar(props: { chartId: string; bar: ChartBar; place: Slot; series: readonly ChartSeries[]; max: number }) {
  const { chartId, bar, place, series, max } = props;
  const segments = stack(bar.values ?? [], max, plotHeight);
  const isZero = bar.values?.every((value) => value === 0);
  return (
    <g>
      {segments.map(({ y, height }, index) => {
        const part = series[index];
        return part && height > 0 ? (
          <rect
            key={part.id}
            x={`${place.barX}%`}
            width={`${place.barWidth}%`}
            y={top + y}
            height={height}
            {...(height < patternPx ? { className: solidOf(part.look) } : { fill: fillOf(chartId, part.look) })}
          />
        ) : null;
      })}
      {isZero && (
        <rect
          x={`${place.barX}%`}
          width={`${place.barWidth}%`}
          y={baseline - 1}
          height="2"
          className="fill-control"
          shapeRendering="crispEdges"
        />
      )}
      {bar.tick && (
        <text
          x={`${place.center}%`}
          y={height - 6}
          textAnchor="middle"
          className={`fill-quiet text-xs tabular-nums ${roomClasses[bar.tick.room]}`}
        >
          {bar.tick.text}
        </text>
      )}
    </g>
  );
}

const widthOf = (slot: Slot | undefined) => ({ x: `${slot?.x ?? 0}%`, width: `${slot?.width ?? 0}%` });

const yOf = (value: number, max: number) => top + plotHeight - (value / max) * plotHeight;

/** How many bars each key moves the cursor. */
const moves: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -7,
  PageUp: 7,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** The index of the bar after a key. `undefined`: the cursor leaves the bars. 'none': the key has no effect. */
function nextIndex(key: string, active: number | undefined, count: number): number | undefined | 'none' {
  if (key === 'Escape' && active !== undefined) return undefined;
  const move = moves[key];
  if (move === undefined) return 'none';
  return Math.min(count - 1, Math.max(0, (active ?? count - 1) + move));
}

function spoken(bar: ChartBar, series: readonly ChartSeries[]): string {
  const values = bar.values ? spokenValues(bar.values, series) : 'not recorded';
  return `${bar.name}${bar.note ? ` (${bar.note})` : ''}: ${values}`;
}

const spokenValues = (values: readonly number[], series: readonly ChartSeries[]) =>
  series.map(({ label }, index) => `${label} ${formatNumber(values[index] ?? 0)}`).join(', ');
