import { CopyField } from '../../app/components/copy-field.tsx';
import { plainSamplesOf, sampleLanguages } from '../../documentation/domain.ts';
import { cliCommandOf } from '../domain/cli-command.ts';
import type { StoreFilter } from '../domain/store-filter.ts';

/** The request for the rows, to copy. It reads the key from the environment. */
export function CopyRequest({ filter, request, apiUrl }: { filter: StoreFilter; request: object; apiUrl: string }) {
  const sent = { method: 'POST', path: '/v1/stores/search', body: JSON.stringify(request, null, 2) };
  const samples = plainSamplesOf(sent, apiUrl);
  const command = cliCommandOf(filter);
  return (
    <details>
      <summary className="cursor-pointer rounded font-medium">Copy as curl, TypeScript, Python, CLI</summary>
      <div className="mt-3 grid gap-4">
        {Object.entries(sampleLanguages).map(([language, name]) => (
          <Sample key={language} name={name}>
            <CopyField value={samples[language as keyof typeof sampleLanguages]} label={`the request as ${name}`} />
          </Sample>
        ))}
        <Sample name="CLI">
          {command ? (
            <CopyField value={command} label="the request as a command" />
          ) : (
            <p className="text-sm text-quiet">
              The command line cannot express this query: it has one clause of each kind, with the same conditions for
              all, and knows neither kinds, nor dates of scans, nor technologies that were there at the first scan.
            </p>
          )}
        </Sample>
        <p className="text-sm text-quiet">
          Put a key of your own into <span className="code">SHOPSCOPE_API_KEY</span> before. The rows bill as here.
        </p>
      </div>
    </details>
  );
}

const Sample = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div className="grid gap-1">
    <h2 className="text-sm font-medium">{name}</h2>
    {children}
  </div>
);
