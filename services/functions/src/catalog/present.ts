import type { App, AppFunction, ValueSchema } from '@onward/catalog'
import type { AppItem, FunctionItem } from '@onward/contract'
import type { Account } from '../db/connected-accounts.ts'
import { functionMeta, parameterMeta } from './meta.ts'

export type Profile = 'standard' | 'published'

/** Accounts of the calling user by app name. */
export type AccountsByApp = ReadonlyMap<string, readonly Account[]>

export function groupByApp(accounts: readonly Account[]): AccountsByApp {
  const byApp = new Map<string, Account[]>()
  for (const account of accounts) byApp.set(account.app, [...(byApp.get(account.app) ?? []), account])
  return byApp
}

export function presentApp(app: App): AppItem {
  return {
    id: app.id,
    name: app.name,
    title: app.title,
    icon_url: app.icon_url,
    docs_url: app.docs_url,
    login_url: '',
    allow_multiple_connected_accounts: app.needsAccount,
  }
}

/** A function as lists, predict and get show it; `accounts` asks for `meta`. */
export function presentFunction(fn: AppFunction, profile: Profile, accounts?: AccountsByApp): FunctionItem {
  const { properties, ...rest } = fn.parameters
  const shown = Object.entries(properties).map(([name, schema]) => {
    const adjusted = profile === 'published' ? withoutIntegers(schema) : schema
    return [name, accounts === undefined ? adjusted : { ...adjusted, meta: parameterMeta(fn, name) }] as const
  })
  return {
    name: fn.name,
    title: fn.title,
    app: fn.app.name,
    type: fn.type,
    description: fn.description,
    parameters: { ...rest, properties: Object.fromEntries(shown) as FunctionItem['parameters']['properties'] },
    ...(accounts === undefined ? {} : { meta: functionMeta(fn, accounts.get(fn.app.name) ?? []) }),
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
