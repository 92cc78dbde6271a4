import type { App, AppFunction } from '@onward/catalog'
import type { AppItem, ArgumentMeta, ClientProfile, FunctionItem, FunctionMeta } from '@onward/contract'
import type { PredictedArguments } from '@onward/predict'
import type { Account } from '../db/connected-accounts.ts'
import { publishedMeta, publishedParameters } from '../published/parameters.ts'
import { withMeta } from './parameter-meta.ts'

/** The parts of `meta` that depend on the calling user, and the predicted arguments. */
type MetaParts = {
  readonly accounts: AccountsByApp
  /** Returns the `login_url` of an app. */
  readonly loginUrl: (app: App) => string
  /** Our address for browsers. */
  readonly publicUrl: string
  readonly predicted?: PredictedArguments | undefined
}

/** The accounts of the calling user, by app name. */
type AccountsByApp = ReadonlyMap<string, readonly Account[]>

export function groupByApp(accounts: readonly Account[]): AccountsByApp {
  const byApp = new Map<string, Account[]>()
  for (const account of accounts) byApp.set(account.app, [...(byApp.get(account.app) ?? []), account])
  return byApp
}

export function presentApp(app: App, loginUrl: (app: App) => string): AppItem {
  return {
    id: app.id,
    name: app.name,
    title: app.title,
    icon_url: app.icon_url,
    docs_url: app.docs_url,
    login_url: loginUrl(app),
    allow_multiple_connected_accounts: app.needsAccount,
  }
}

/** Converts a function to its wire form; with `parts` it has `meta`. */
export function presentFunction(fn: AppFunction, profile: ClientProfile, parts?: MetaParts): FunctionItem {
  const { properties, ...rest } = fn.parameters
  const published = profile === 'published'
  const shown = Object.entries(published ? publishedParameters(fn) : properties).map(([name, schema]) => {
    if (parts === undefined) return [name, schema]
    const withForm = withMeta(fn, name, schema)
    return [name, published ? { ...withForm, meta: publishedMeta(name, withForm.meta, parts.publicUrl) } : withForm]
  })
  return {
    name: fn.name,
    title: fn.title,
    app: fn.app.name,
    type: fn.type,
    description: fn.description,
    parameters: { ...rest, properties: Object.fromEntries(shown) } as FunctionItem['parameters'],
    ...(parts === undefined ? {} : { meta: functionMeta(fn, parts) }),
  }
}

/** Converts a connected account to its wire form. */
export function presentAccount({ id, displayName, modifiedAt, status, lastError }: Account) {
  return { id, display_name: displayName, modified_at: modifiedAt.toISOString(), status, last_error: lastError }
}

function functionMeta(
  { id, type, version, destructive, title, app, scopes, output }: AppFunction,
  { accounts, loginUrl, predicted }: MetaParts,
): FunctionMeta {
  const connected = (accounts.get(app.name) ?? []).map(presentAccount)
  const { name, icon_url } = app
  const shown = { name, title: app.title, icon_url, login_url: loginUrl(app), connected_accounts: connected }
  return {
    id,
    type,
    version,
    destructive,
    ui: { title },
    app: shown,
    ...(scopes.length > 0 && { scopes: scopes.map((each) => [...each]) }),
    ...(output && { output: { ...output } }),
    ...(predicted && { arguments: argumentsMeta(predicted) }),
  }
}

/** Returns where each predicted argument came from, in wire form. */
function argumentsMeta(predicted: PredictedArguments): Record<string, ArgumentMeta> {
  return Object.fromEntries(
    Object.entries(predicted).map(([name, { origin, confidence }]) => [name, { ...origin, confidence } as ArgumentMeta]),
  )
}
