import * as singleSignOn from '../../people/operations/single-sign-on.ts';
import type { DevelopmentMails } from '../outbound/development-mails.ts';
import type { Dependencies } from './dependencies.ts';
import * as operations from './operations.ts';

/** The operations of a module, without their first parameter. */
type Bound<Module> = {
  [Name in keyof Module as Module[Name] extends (deps: Dependencies, ...rest: never) => unknown
    ? Name
    : never]: Module[Name] extends (deps: Dependencies, ...input: infer Input) => infer Result
    ? (...input: Input) => Result
    : never;
};

/** The built pages import only types of the operations, because the code of the operations runs outside of the bundle. */
type Operations = { [Name in keyof typeof operations]: Bound<(typeof operations)[Name]> };

export interface Application extends Operations {
  /** The public base URL of the HTTP API, for examples that people copy. */
  publicApiUrl: string;
  /** The public base URL of this application, which also serves `/mcp`. */
  dashboardUrl: string;
  /** Present if an issuer is configured. */
  singleSignOn: (Bound<typeof singleSignOn> & { name: string }) | undefined;
  /** Present in development systems that store mail instead of sending it. */
  developmentMails: DevelopmentMails | undefined;
}

type Module = Record<string, unknown>;

function bound<M extends Module>(module: M, deps: Dependencies): Bound<M> {
  const functions = Object.entries(module).flatMap(([name, value]) =>
    typeof value === 'function' ? [[name, (...input: unknown[]) => value(deps, ...input)]] : [],
  );
  return Object.fromEntries(functions);
}

export function createApplication(
  deps: Dependencies,
  { hasIssuer, developmentMails }: Pick<Application, 'developmentMails'> & { hasIssuer: boolean },
): Application {
  const all = Object.entries(operations).map(([name, module]) => [name, bound(module as Module, deps)]);
  return {
    ...(Object.fromEntries(all) as Operations),
    publicApiUrl: deps.apiUrl,
    dashboardUrl: deps.url,
    singleSignOn: hasIssuer ? { name: deps.singleSignOnName, ...bound(singleSignOn, deps) } : undefined,
    developmentMails,
  };
}
