import { type ReactNode, useContext } from 'react';
import { FailedFormContext, useProblemOf } from '../../app/components/field.tsx';
import { allScopes, presetTexts, scopeTexts } from './access-levels.ts';

/** The choice of a preset or of single scopes, in the fields `access` and `scopes`. CSS opens the scopes, without script. */
export function AccessFields(props: { access: string; scopes: readonly string[] }) {
  const typed = useContext(FailedFormContext)?.values;
  const access = typed?.access ?? props.access;
  const scopes = typed ? (typed.scopes?.split(' ') ?? []) : props.scopes;
  const error = useProblemOf('scopes', 'preset');
  return (
    <fieldset className="group grid gap-2">
      <legend className="mb-1 font-medium">Access</legend>
      {presetTexts.map(({ preset, name, text, scopes: granted }) => (
        <Choice key={preset} value={preset} name={name} isChosen={access === preset}>
          {text}
          <span className="mt-2 mb-1 hidden gap-1 group-has-[:checked]/choice:grid">
            {granted.map((scope) => (
              <span key={scope} className="grid gap-x-3 sm:grid-cols-[144px_minmax(0,1fr)]">
                <span className="code text-text">{scope}</span>
                <span>{scopeTexts[scope]}</span>
              </span>
            ))}
          </span>
        </Choice>
      ))}
      <Choice value="custom" name="Own scopes" isChosen={access === 'custom'}>
        Choose what the key may do.
      </Choice>
      <fieldset className="hidden gap-1 rounded border bg-sunken px-3 py-2 group-has-[[value=custom]:checked]:grid">
        <legend className="sr-only">Scopes</legend>
        {allScopes.map((scope, position) => (
          <label
            key={scope}
            className="grid min-h-8 grid-cols-[16px_minmax(0,1fr)] items-center gap-x-3 sm:grid-cols-[16px_144px_minmax(0,1fr)]"
          >
            <input
              type="checkbox"
              name="scopes"
              value={scope}
              defaultChecked={scopes.includes(scope)}
              aria-invalid={error && position === 0 ? true : undefined}
              className="size-4 accent-accent"
            />
            <span className="code">{scope}</span>
            <span className="col-start-2 text-sm text-quiet sm:col-start-3">{scopeTexts[scope]}</span>
          </label>
        ))}
      </fieldset>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function Choice(props: { value: string; name: string; isChosen: boolean; children: ReactNode }) {
  return (
    <label className="group/choice grid cursor-pointer grid-cols-[16px_minmax(0,1fr)] gap-x-3 rounded border bg-raised px-3 py-2 has-[:checked]:border-accent has-[:checked]:bg-accent-soft">
      <input
        type="radio"
        name="access"
        value={props.value}
        defaultChecked={props.isChosen}
        required
        className="mt-0.5 size-4 accent-accent"
      />
      <span className="grid min-w-0">
        <span className="font-medium">{props.name}</span>
        <span className="text-sm text-quiet">{props.children}</span>
      </span>
    </label>
  );
}
