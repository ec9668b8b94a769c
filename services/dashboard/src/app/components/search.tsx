import { Search } from 'lucide-react';
import { useId } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from './button.tsx';

/** Returns a function that makes the address of this page with other parameters. An undefined parameter is left out. */
export function useSearchWith() {
  const [search] = useSearchParams();
  return (changes: Readonly<Record<string, string | undefined>>): string => {
    const target = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) target.delete(name);
      else target.set(name, value);
    }
    return `?${target}`;
  };
}

interface SearchFormProps extends Omit<React.ComponentProps<'input'>, 'form'> {
  /** The name of the field and of the search, for screen readers. */
  label: string;
  /** The text of the button. */
  button: string;
  action: string;
  /** The problem with the value. */
  problem?: string | undefined;
  formClass?: string | undefined;
}

/** A search that works without script. */
export function SearchForm(props: SearchFormProps) {
  const { label, button, action, problem, formClass, className = '', ...rest } = props;
  const problemId = useId();
  return (
    <search aria-label={label} className={formClass}>
      {problem && (
        <p id={problemId} className="mb-2 text-danger [overflow-wrap:anywhere]">
          {problem}
        </p>
      )}
      <form action={action} className="flex gap-2">
        <input
          aria-label={label}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? problemId : undefined}
          autoCapitalize="none"
          spellCheck={false}
          className={`h-10 w-full min-w-0 rounded border border-control bg-raised px-3 text-text placeholder:text-quiet md:h-8 ${className}`}
          {...rest}
        />
        <Button aria-label={button}>
          <Search aria-hidden className="size-4" />
        </Button>
      </form>
    </search>
  );
}
