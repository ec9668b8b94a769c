import { useId } from 'react';
import { Button } from '../../app/components/button.tsx';
import { Facts } from '../../app/components/facts.tsx';
import { TextField } from '../../app/components/field.tsx';
import { PostForm, SubmitButton } from '../../app/components/form.tsx';
import { formatNumber, resetTime } from '../../app/components/formats.ts';
import { Quiet } from '../../app/components/page.tsx';
import { Time } from '../../app/components/time.tsx';
import type { FailedForm } from '../../app/pages/page-failure.ts';
import { type Allowance, UnitsLeft } from '../../usage/pages.ts';
import { type RescanPlan, rescanPlanOf, unitsPerMonth } from '../domain/rescan-plan.ts';
import type { Watchlist } from '../operations/watchlists.ts';
import { everyDays, RescanState } from './watchlist-state.tsx';

interface RescansProps {
  watchlist: Watchlist;
  allowance: Allowance;
  isAdmin: boolean;
  failed: FailedForm | undefined;
}

/** The rescans of a watchlist: what they cost, how far the units reach, and for admins the form that changes them. */
export function Rescans({ watchlist, allowance, isAdmin, failed }: RescansProps) {
  const { rescan_interval_days: days, budget, forecast } = watchlist;
  const plan = planOf(watchlist, allowance);
  const isShort = forecast.left !== null && forecast.refresh_requested > forecast.left;
  return (
    <div className="grid gap-6">
      {days !== null && (
        <Facts
          facts={{
            Rescans: <RescanState {...watchlist} />,
            'Next rescan': watchlist.next_rescan_at ? (
              <Time ms={Date.parse(watchlist.next_rescan_at)} />
            ) : (
              <Quiet>none</Quiet>
            ),
            'Budget a month':
              budget.refresh_requested === null ? <Quiet>no bound</Quiet> : units(budget.refresh_requested),
            [`To come until ${resetTime(allowance.endMs)}`]: (
              <span className={isShort ? 'text-warning' : ''}>{units(forecast.refresh_requested)}</span>
            ),
          }}
        />
      )}
      <div className="grid max-w-[68ch] gap-2">
        {plan && <Reach watchlist={watchlist} plan={plan} />}
        {isShort && (
          <p className="text-warning">
            The rescans to come cost {units(forecast.refresh_requested)}, and the allowance has{' '}
            {units(forecast.left ?? 0)} left. Rescans stop when it is spent.
          </p>
        )}
        <p className="text-sm text-quiet">
          Each rescan costs 1 requested refresh. All watchlists and scans of this workspace share the allowance:{' '}
          <UnitsLeft unit="refresh_requested" allowance={allowance} />
        </p>
      </div>
      {isAdmin ? (
        <RescanForm watchlist={watchlist} plan={plan} failed={failed} freshnessDays={allowance.freshnessDays} />
      ) : (
        <p className="text-quiet">Only admins of this workspace switch rescans on and change them.</p>
      )}
    </div>
  );
}

function planOf({ store_count: stores, budget }: Watchlist, { included, freshnessDays }: Allowance) {
  if (!included) return undefined;
  return rescanPlanOf({
    stores,
    budget: budget.refresh_requested,
    included: included.refresh_requested,
    freshnessDays: freshnessDays ?? 0,
  });
}

const units = (count: number) => `${formatNumber(count)} ${count === 1 ? 'unit' : 'units'}`;

/** How far the units of a month reach, and the interval that fits. */
function Reach({ watchlist: { store_count: stores }, plan }: { watchlist: Watchlist; plan: RescanPlan }) {
  const { reached, months, fittingDays } = plan;
  if (stores === 0) return <p>Rescans begin when the watchlist has stores.</p>;
  const all = stores === 1 ? 'its store' : `all ${formatNumber(stores)} stores`;
  return (
    <p>
      <span className="font-medium">
        {reached < stores ? (
          <>
            {units(plan.units)} {plan.units === 1 ? 'rescans' : 'rescan'} {formatNumber(reached)} of{' '}
            {formatNumber(stores)} stores a month
            {months === undefined ? '.' : `; ${months === 1 ? '1 month' : `${formatNumber(months)} months`} for all.`}
          </>
        ) : (
          <>
            One rescan of {all} costs {units(stores)}.
          </>
        )}
      </span>{' '}
      {fittingDays === undefined
        ? 'No interval fits the units of a month.'
        : `${everyDays(fittingDays)} fits the units of a month: about ${units(unitsPerMonth(stores, fittingDays))}.`}
    </p>
  );
}

function RescanForm(props: {
  watchlist: Watchlist;
  plan: RescanPlan | undefined;
  freshnessDays: number | undefined;
  failed: FailedForm | undefined;
}) {
  const { watchlist, plan, freshnessDays = 1, failed } = props;
  const { state, store_count: stores, rescan_interval_days: days, rescans_paused: paused, budget } = watchlist;
  const proposed = plan?.fittingDays;
  const isRevoked = paused === 'key_revoked';
  const isResumed = isRevoked || paused === 'allowance_exhausted';
  // The page of a paused or empty watchlist has another primary action.
  const isPrimary = state === 'active' && stores > 0 && (days === null || isRevoked);
  const endForm = useId();
  return (
    <div className="grid gap-3">
      <PostForm intent="rescans" failed={failed} fields={['rescan_interval_days', 'budget']}>
        <div className="grid items-start gap-4 sm:grid-cols-2 lg:max-w-[68ch]">
          <TextField
            key={`days-${days}`}
            label="Rescan each store every … days"
            name="rescan_interval_days"
            type="number"
            min={Math.max(1, freshnessDays)}
            max={3_650}
            required
            defaultValue={days ?? proposed}
            help={`At least ${formatNumber(Math.max(1, freshnessDays))}, the freshness of the plan.${proposed !== undefined && days !== null && days < proposed ? ` ${formatNumber(proposed)} days fit the units.` : ''}`}
          />
          <TextField
            key={`budget-${budget.refresh_requested}`}
            label="Budget a month"
            name="budget"
            type="number"
            min={0}
            max={999_999_999}
            defaultValue={budget.refresh_requested ?? undefined}
            help="Optional: the most units that its rescans spend."
          />
        </div>
        <div className="flex flex-wrap gap-2">
          <SubmitButton kind={isPrimary ? 'primary' : 'secondary'} busy="Saving…">
            {days === null ? 'Switch rescans on' : isResumed ? 'Resume rescans' : 'Save'}
          </SubmitButton>
          {days !== null && <Button form={endForm}>Switch rescans off</Button>}
        </div>
      </PostForm>
      {days !== null && <PostForm id={endForm} intent="end_rescans" failed={failed} className="contents" />}
    </div>
  );
}
