import type { App, Scheme } from '@onward/catalog'
import { jsonSchemaOfOutput, requestedScopes } from '@onward/catalog'
import { listAppIcons, listCatalog, readCatalogApp, readCatalogFunction, searchFunctions } from '@onward/contract'
import { publicUrlOf } from '@onward/runtime'
import { type Callable, refuseApp, refuseFunction } from '../../catalog/functions.ts'
import { textFilter } from '../../catalog/page.ts'
import { presentFunction } from '../../catalog/present.ts'
import { toolFor } from '../../catalog/tools.ts'
import { readIcons } from '../../connect/icon.ts'
import { callbackUrl } from '../../connect/provider.ts'
import type { Context } from '../../context.ts'
import { requireApplication } from '../../db/applications.ts'
import { countAccounts } from '../../db/connected-accounts.ts'
import { findOAuthClient, type StoredClient } from '../../db/oauth-clients.ts'
import { route } from '../route.ts'

export const listCatalogRoute = route(listCatalog, async (ctx, { query }) => {
  const accounts = await countAccounts(ctx.slowDb, { workspaceId: query.workspace_id })
  return { apps: ctx.catalog.current.functions.apps.map((app) => presentItem(ctx, app, accounts)) }
})

export const listAppIconsRoute = route(listAppIcons, async (ctx) => ({ icons: await readIcons(ctx.config.appFolders) }))

export const readCatalogAppRoute = route(readCatalogApp, async (ctx, { params, query, request }) => {
  const { functions } = ctx.catalog.current
  const { app_key: appKey, workspace_id: workspaceId } = query
  const app = functions.app(params.app) ?? refuseApp(functions, params.app)
  if (appKey !== undefined) await requireApplication(ctx.db, appKey)
  const client = appKey === undefined ? undefined : await findOAuthClient(ctx.db, appKey, app.name)
  const oauth = app.schemes.find(({ type }) => type === 'oauth2')
  const own = oauth !== undefined && 'scopes' in oauth ? (oauth.scopes ?? []) : []
  const asked = client?.scopes ?? own
  const signedFor = new Set(oauth?.type === 'oauth2' ? requestedScopes(oauth, asked) : [])
  return {
    ...presentItem(ctx, app, await countAccounts(ctx.slowDb, { appKey, workspaceId })),
    hosts: [...app.hosts],
    redirect_url: oauth === undefined ? null : callbackUrl(publicUrlOf(ctx.config.publicUrl, request)),
    client_help: presentHelp(oauth),
    scopes: [...new Set([...own, ...asked])].map((name) => ({ name, asked: asked.includes(name) })),
    oauth_client: client === undefined ? null : presentClient(client),
    functions: app.functions.map(({ name, title, description, type, destructive, version, scopes }) => ({
      name,
      title,
      description,
      type,
      destructive,
      version,
      scopes: scopes.map((each) => [...each]),
      allowed: oauth === undefined || scopes.length === 0 ? null : scopes.some((each) => each.every((scope) => signedFor.has(scope))),
    })),
    rejected: rejectedOf(ctx, app).map((each) => ({ function: each.function ?? each.app, problems: [...each.problems] })),
  }
})

export const readCatalogFunctionRoute = route(readCatalogFunction, async (ctx, { params }) => {
  const { functions } = ctx.catalog.current
  const { fn } = functions.get(params.function_name) ?? refuseFunction(functions, params.function_name)
  return {
    function: presentFunction(fn, 'standard'),
    destructive: fn.destructive,
    version: fn.version,
    examples: [...fn.examples],
    output: fn.output === null ? null : { ...jsonSchemaOfOutput(fn.output) },
    tools: { openai: toolFor(fn, 'openai'), anthropic: toolFor(fn, 'anthropic'), gemini: toolFor(fn, 'gemini'), mcp: toolFor(fn, 'mcp') },
  }
})

export const searchFunctionsRoute = route(searchFunctions, async (ctx, { query }) => {
  const { functions, ranker: openRanker } = ctx.catalog.current
  const ranker = await openRanker()
  const hasWords = textFilter(query.search)
  const named = functions.all.filter(({ fn }) => hasWords(fn))
  const { fits, ranked } = ranker.rank(query.search, { connected: () => false, count: MOST_RANKED })
  const places = new Map(ranked.map(({ number }, place) => [functions.all[number], place]))
  const placeOf = (each: Callable) => places.get(each) ?? MOST_RANKED
  // One word says too little of what somebody wants to do.
  const predicts = fits && /\S\s+\S/.test(query.search)
  const predicted = predicts
    ? ranked.flatMap(({ number, confidence }) => (confidence < LEAST_CONFIDENCE ? [] : [functions.all[number]]))
    : []
  const found = new Set([...named.toSorted((a, b) => placeOf(a) - placeOf(b)), ...predicted])
  return {
    functions: [...found].slice(0, query.page_size).flatMap((each) => {
      if (each === undefined) return []
      const { name, app, title, description } = each.fn
      return [{ name, app: app.name, title, description }]
    }),
  }
})

/** Functions below this are hardly ever meant. */
const LEAST_CONFIDENCE = 0.01

/** Predict ranks few more than these. */
const MOST_RANKED = 50

function presentHelp(scheme: Scheme | undefined) {
  if (scheme?.type !== 'oauth2' || scheme.client_help === undefined) return null
  const { url, steps, review = null, source } = scheme.client_help
  return { url, steps: [...steps], review, source }
}

function presentClient({ clientId, scopes, modifiedAt }: StoredClient) {
  return { client_id: clientId, scopes: scopes && [...scopes], modified_at: modifiedAt.toISOString() }
}

type Counts = Awaited<ReturnType<typeof countAccounts>>

function presentItem(ctx: Context, app: App, counts: Counts) {
  return {
    name: app.name,
    title: app.title,
    icon_url: app.icon_url,
    source: ctx.catalog.isBuiltIn(app.name) ? ('built_in' as const) : ('imported' as const),
    auth: app.schemes.map(({ type }) => type),
    functions: app.functions.length,
    rejected: rejectedOf(ctx, app).length,
    connected_accounts: counts.get(app.name)?.accounts ?? 0,
    broken_accounts: counts.get(app.name)?.broken ?? 0,
  }
}

function rejectedOf({ catalog }: Context, app: App) {
  return catalog.current.functions.rejected.filter((each) => each.app === app.name)
}
