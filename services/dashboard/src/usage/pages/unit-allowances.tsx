import type { ReactNode } from 'react';
import { dayAndMonth, formatNumber } from '../../app/components/formats.ts';
import { Meter } from '../../app/components/meter.tsx';
import { Card, Notice, Quiet } from '../../app/components/page.tsx';
import type { Pace } from '../domain/pace.ts';
import type { UnitCounts, UnitName } from '../domain/units.ts';
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
                `Requests that need this unit are refused until ${dayAndMonth(endMs)}`
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
  /** Undefined if it is not known, for example because an earlier period may have had another plan. */
  included: number | undefined;
  reserved: number;
  note: ReactNode;
}

/** The used units of an allowance as a bar. Its colour and its word change at 80 % and at 100 %. */
function AllowanceBar({ label, used, included, reserved, note }: AllowanceBarProps) {
  const share = shareOf(used, included);
  const state = share >= 1 ? 'Used up' : share >= 0.8 ? `${Math.floor(share * 100)} % used` : undefined;
  const fill = share >= 1 ? 'fill-danger' : share >= 0.8 ? 'fill-warning' : 'fill-accent';
  const reservedText = reserved > 0 ? `, ${formatNumber(reserved)} reserved` : '';
  return (
    <div className="grid content-start gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{label}</span>
        <span>
          <span className="amount">{formatNumber(used)}</span>
          {included !== undefined && (
            <Quiet>
              {' '}
              of <span className="amount">{formatNumber(included)}</span>
            </Quiet>
          )}
        </span>
      </div>
      {included !== undefined && (
        <Meter
          label={`${label}: ${formatNumber(used)} of ${formatNumber(included)}${reservedText}`}
          parts={[
            { share: shareOf(used + reserved, included), fill: 'fill-control' },
            { share, fill },
          ]}
        />
      )}
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

/** An allowance of zero is used up by the first unit. */
function shareOf(used: number, included: number | undefined): number {
  if (included === undefined) return 0;
  return included === 0 ? Math.min(1, used) : used / included;
}

/** Shown in place of figures that cannot be read. */
export const UsageMissing = ({ children }: { children?: ReactNode }) => (
  <Notice kind="warning" title="Usage is not available right now">
    Requests are served and counted as before.{children}
  </Notice>
);
