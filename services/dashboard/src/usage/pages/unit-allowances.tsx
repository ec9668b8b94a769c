import type { ReactNode } from 'react';
import { dayAndMonth, formatNumber } from '../../app/components/formats.ts';
import { Card } from '../../app/components/page.tsx';
import type { Pace } from '../domain/pace.ts';
import type { UnitCounts, UnitName } from '../domain/units.ts';
import { units } from './units.tsx';

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

interface AllowanceBarProps {
  label: string;
  used: number;
  /** Undefined: not known, for example for an earlier period, whose plan may have been another one. */
  included: number | undefined;
  /** Units of requests in progress. They are taken from the allowance, and not used yet. */
  reserved?: number;
  note?: ReactNode;
}

/** Used units of an allowance as a bar. Its colour and its word change at 80 % and at 100 %. */
export function AllowanceBar({ label, used, included, reserved = 0, note }: AllowanceBarProps) {
  const share = shareOf(used, included);
  const state = share >= 1 ? 'Used up' : share >= 0.8 ? `${Math.floor(share * 100)} % used` : undefined;
  return (
    <div className="grid content-start gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{label}</span>
        <span>
          <span className="amount">{formatNumber(used)}</span>
          {included !== undefined && (
            <span className="text-quiet">
              {' '}
              of <span className="amount">{formatNumber(included)}</span>
            </span>
          )}
        </span>
      </div>
      {included !== undefined && <Bar label={label} used={used} reserved={reserved} included={included} />}
      <p className="flex flex-wrap justify-between gap-x-3 text-sm text-quiet">
        <span>
          {state && <span className={share >= 1 ? 'text-danger' : 'text-warning'}>{state}</span>}
          {state && note && ' · '}
          {note}
        </span>
        {reserved > 0 && (
          <span title="Units of requests in progress. They are taken from the allowance, and not used yet.">
            <span className="amount">{formatNumber(reserved)}</span> reserved
          </span>
        )}
      </p>
    </div>
  );
}

function Bar({ label, used, included, reserved }: { label: string; used: number; included: number; reserved: number }) {
  const share = shareOf(used, included);
  const taken = shareOf(used + reserved, included);
  const fill = share >= 1 ? 'fill-danger' : share >= 0.8 ? 'fill-warning' : 'fill-accent';
  const numbers = `${formatNumber(used)} of ${formatNumber(included)}`;
  return (
    <svg
      viewBox="0 0 100 1"
      preserveAspectRatio="none"
      className="h-1.5 w-full overflow-hidden rounded-full"
      role="img"
      aria-label={`${label}: ${numbers}${reserved > 0 ? `, ${formatNumber(reserved)} reserved` : ''}`}
    >
      <rect width="100" height="1" className="fill-line" />
      <rect width={Math.min(1, taken) * 100} height="1" className="fill-control" />
      <rect width={Math.min(1, share) * 100} height="1" className={fill} />
    </svg>
  );
}

/** An allowance of zero is used up by the first unit. */
function shareOf(used: number, included: number | undefined): number {
  if (included === undefined) return 0;
  return included === 0 ? Math.min(1, used) : used / included;
}
