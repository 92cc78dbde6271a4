import type { App, AppFunction, ValueSchema } from '@onward/catalog'
import type { AppItem, FunctionItem } from '@onward/contract'
import type { PredictedArguments } from '@onward/predict'
import type { LoginUrls } from '../connect/login-urls.ts'
import type { Account } from '../db/connected-accounts.ts'
import { functionMeta } from './meta.ts'
import { withMeta } from './parameter-meta.ts'

export type Profile = 'standard' | 'published'

/** What `meta` shows of the calling user's own, and of the arguments that were predicted. */
export type MetaParts = {
  readonly accounts: AccountsByApp
  readonly loginUrl: LoginUrls
  readonly predicted?: PredictedArguments | undefined
}

/** Accounts of the calling user by app name. */
export type AccountsByApp = ReadonlyMap<string, readonly Account[]>

export function groupByApp(accounts: readonly Account[]): AccountsByApp {
  const byApp = new Map<string, Account[]>()
  for (const account of accounts) byApp.set(account.app, [...(byApp.get(account.app) ?? []), account])
  return byApp
}

export function presentApp(app: App, loginUrl: LoginUrls): AppItem {
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

/** A function as lists, predict and get show it; `parts` asks for `meta`. */
export function presentFunction(fn: AppFunction, profile: Profile, parts?: MetaParts): FunctionItem {
  const { properties, ...rest } = fn.parameters
  const shown = Object.entries(properties).map(([name, schema]) => {
    const adjusted = profile === 'published' ? withoutIntegers(schema) : schema
    return [name, parts === undefined ? adjusted : withMeta(fn, name, adjusted)] as const
  })
  return {
    name: fn.name,
    title: fn.title,
    app: fn.app.name,
    type: fn.type,
    description: fn.description,
    parameters: { ...rest, properties: Object.fromEntries(shown) as FunctionItem['parameters']['properties'] },
    ...(parts === undefined
      ? {}
      : { meta: functionMeta(fn, parts.accounts.get(fn.app.name) ?? [], parts.loginUrl(fn.app), parts.predicted) }),
  }
}

/** Published clients know `number` only. */
function withoutIntegers<S extends ValueSchema>(schema: S): S {
  const { properties, items, additionalProperties } = schema
  return {
    ...schema,
    type: schema.type === 'integer' ? 'number' : schema.type,
    ...(items === undefined ? {} : { items: withoutIntegers(items) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: withoutIntegers(additionalProperties) } : {}),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, withoutIntegers(inner)])) }),
  }
}
