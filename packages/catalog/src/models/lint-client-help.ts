import type { App } from '../types.ts'

/** Returns one line for each app with an OAuth client whose file does not say how to get one. */
export function lintClientHelp(apps: readonly App[]): string[] {
  return apps
    .filter(({ schemes }) => schemes.some((scheme) => scheme.type === 'oauth2' && scheme.client_help === undefined))
    .map(({ name }) => `${name}: auth: oauth2 needs client_help, which says how an application gets its client`)
}
