import { formatNumber } from '../../app/components/number.tsx';
import { Card } from '../../app/components/page.tsx';
import { dayAndMonth } from '../../app/components/period-text.ts';
import type { Pace } from '../domain/pace.ts';
import type { UnitCounts, UnitName } from '../domain/units.ts';
import { AllowanceBar } from './allowance-bar.tsx';
import { units } from './units.ts';

/** Used, reserved and included units of a period, with the pace of each unit. */
export function UnitAllowances(props: {
  used?: UnitCounts | undefined;
  reserved?: UnitCounts | undefined;
  included?: UnitCounts | undefined;
  paces: Partial<Record<UnitName, Pace>>;
  endMs: number;
}) {
  const { used, reserved, included, paces, endMs } = props;
  return (
    <Card className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
      {units.map(({ unit, label }) =>
        used ? (
          <AllowanceBar
            key={unit}
            label={label}
            used={used[unit]}
            included={included?.[unit]}
            reserved={reserved?.[unit] ?? 0}
            note={
              included && used[unit] >= included[unit] && used[unit] > 0 ? (
                <>Requests that need this unit are refused until {dayAndMonth(endMs)}</>
              ) : (
                <PaceNote pace={paces[unit]} endMs={endMs} />
              )
            }
          />
        ) : (
          <div key={unit} className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="font-medium">{label}</span>
            <span className="text-quiet">
              used: not known
              {included && (
                <>
                  , included: <span className="amount">{formatNumber(included[unit])}</span>
                </>
              )}
            </span>
          </div>
        ),
      )}
    </Card>
  );
}

function PaceNote({ pace, endMs }: { pace: Pace | undefined; endMs: number }) {
  if (!pace) return null;
  if (pace.exhaustedAtMs !== undefined) {
    return <span className="text-warning">At this pace used up on {dayAndMonth(pace.exhaustedAtMs)}</span>;
  }
  return (
    <>
      At this pace <span className="amount">{formatNumber(pace.projected)}</span> by {dayAndMonth(endMs)}
    </>
  );
}

/** How the pace is computed, for people. */
export function PaceHelp() {
  return (
    <details className="max-w-[68ch] text-sm text-quiet">
      <summary className="w-fit rounded py-1 hover:text-text">How the pace is computed</summary>
      <p className="mt-1">
        The pace is the mean of the last full days in UTC, at most seven, counted from the first day with units in this
        month. The projection is the units used so far plus the pace for each remaining day. It is shown from the third
        full day on, because fewer days say little.
      </p>
    </details>
  );
}
