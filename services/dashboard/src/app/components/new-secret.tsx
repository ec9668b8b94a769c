import { type ReactNode, useEffect, useState } from 'react';
import { ButtonLink } from './button.tsx';
import { CopyField } from './copy-field.tsx';
import { Card, Notice } from './page.tsx';

interface NewSecretProps {
  /** The kind of secret, for example `key`. */
  noun: string;
  /** What to do with the secret. */
  advice: string;
  owner: ReactNode;
  secret: string;
  /** The page after this one. */
  next: string;
  children?: ReactNode;
}

/** A secret that is shown once. The browser warns until the person has stored it. */
export function NewSecret({ noun, advice, owner, secret, next, children }: NewSecretProps) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (isDone) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isDone]);
  return (
    <div className="grid max-w-[640px] gap-6">
      <Notice kind="warning" title={`This ${noun} is shown only now`}>
        {advice}
      </Notice>
      <Card className="grid gap-2">
        <p className="text-sm text-quiet [overflow-wrap:anywhere]">{owner}</p>
        <CopyField label={`the ${noun}`} value={secret} />
      </Card>
      {children}
      <div>
        <ButtonLink kind="primary" to={next} onClick={() => setDone(true)}>
          I have stored it
        </ButtonLink>
      </div>
    </div>
  );
}
