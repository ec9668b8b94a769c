import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

const shownMs = 2_000;

/** A text to copy, for example a secret or a command. Without script, it can be selected and copied by hand. */
export function CopyField({ value, label }: { value: string; label: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-2 sm:flex-row sm:items-start">
      <code className="code grow rounded border bg-sunken px-3 py-1.5 whitespace-pre-wrap">{value}</code>
      <CopyButton value={value} label={label} />
    </div>
  );
}

export function CopyButton({ value, label }: { value: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
  };
  return (
    <Button type="button" onClick={copy} aria-label={`Copy ${label}`}>
      {isCopied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
      <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
    </Button>
  );
}

/** A call of the API that is not billed. */
export const FreeCall = ({ apiUrl }: { apiUrl: string }) => (
  <CopyField label="the example" value={`curl -H "Authorization: Bearer $SHOPSCOPE_API_KEY" ${apiUrl}/v1/account`} />
);
