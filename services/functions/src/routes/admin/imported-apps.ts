import { createHash } from 'node:crypto'
import { type App, compileSoundAppFile } from '@onward/catalog'
import { deleteImportedApp, getImportedApp, listImportedApps, listQuarantined, previewImport, putApp } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import type { LiveCatalog } from '../../catalog/live-catalog.ts'
import * as importedApps from '../../db/imported-apps.ts'
import { goneSignal, route } from '../route.ts'

export const putAppRoute = route(putApp, async (ctx, { params, body }) => {
  const { app, quarantined } = compile(body.file, params.name)
  if (app.name !== params.name) throw new Refusal('invalid_parameters', 'the app file is not valid', [`file.name: must be ${params.name}`])
  refuseBuiltIn(ctx.catalog, app.name)
  const clashes = ctx.catalog.clashesOf(app)
  if (clashes.length > 0) throw new Refusal('invalid_parameters', 'the app has names that other apps use', clashes)
  const file = JSON.stringify(body.file)
  const before = await importedApps.findImportedApp(ctx.db, app.name)
  // Accounts of a deleted app with this name may still exist.
  const moved = before === undefined || destinationOf(JSON.parse(before.file)) !== destinationOf(body.file)
  const version = createHash('sha256').update(file).digest('hex').slice(0, 12)
  // A moved app changes all its accounts.
  await importedApps.putImportedApp(ctx.slowDb, { name: app.name, version, file }, moved)
  await ctx.catalog.refresh()
  return { name: app.name, version, functions: app.functions.length, quarantined }
})

export const previewImportRoute = route(previewImport, async (ctx, { params: { name }, body, response }) => {
  refuseBuiltIn(ctx.catalog, name)
  const { document, include, exclude, base_url: baseUrl } = body
  const stored = await importedApps.findImportedApp(ctx.db, name)
  const input = { name, document, include, exclude, baseUrl, previous: stored?.file }
  const converted = await ctx.catalog.convert(input, goneSignal(response))
  if ('problems' in converted) throw new Refusal('invalid_parameters', 'the document cannot be imported', converted.problems)
  const { preview } = converted
  const taken = preview.operations.flatMap(({ function: fn, outcome }) => {
    const owner = outcome === 'skipped' ? undefined : ctx.catalog.current.functions.get(fn)?.fn.app
    return owner === undefined || owner.name === name ? [] : [`name: the app ${owner.name} has a function ${fn} already`]
  })
  if (taken.length > 0) throw new Refusal('invalid_parameters', 'the app has names that other apps use', taken)
  return { ...preview, replaces: stored?.version ?? null }
})

export const getImportedAppRoute = route(getImportedApp, async (ctx, { params }) => {
  const found = await importedApps.findImportedApp(ctx.db, params.name)
  if (found === undefined) throw new Refusal('app_not_found', 'there is no such imported app')
  const { name, version, file, modifiedAt } = found
  return { name, version, file: JSON.parse(file), modified_at: modifiedAt.toISOString() }
})

export const listImportedAppsRoute = route(listImportedApps, async (ctx) => {
  const stored = await importedApps.selectImportedApps(ctx.db)
  await ctx.catalog.refresh()
  const { functions } = ctx.catalog.current
  return {
    apps: stored.map(({ name, modifiedAt }) => {
      const app = functions.app(name)
      return { name, title: app?.title ?? name, functions: app?.functions.length ?? 0, modified_at: modifiedAt.toISOString() }
    }),
  }
})

export const deleteImportedAppRoute = route(deleteImportedApp, async (ctx, { params }) => {
  const deleted = await importedApps.deleteImportedApp(ctx.db, params.name)
  if (!deleted) throw new Refusal('app_not_found', 'there is no such imported app')
  await ctx.catalog.refresh()
  return { success: true as const }
})

export const listQuarantinedRoute = route(listQuarantined, async (ctx) => ({
  quarantined: ctx.catalog.current.functions.rejected.map((each) => ({ ...each, problems: [...each.problems] })),
}))

function refuseBuiltIn(catalog: LiveCatalog, name: string): void {
  if (catalog.isBuiltIn(name)) throw new Refusal('app_is_built_in', `${name} is a built-in app; import the app under another name`)
}

/** Returns what decides where an account's credentials are sent. */
function destinationOf({ base_url, hosts, auth }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([base_url, hosts, auth])
}

/** Compiles an app file without the functions that do not compile. Throws a Refusal when none of the file's own functions compiles. */
function compile(file: unknown, name: string): { app: App; quarantined: { function: string; problems: string[] }[] } {
  const { app, rejected } = compileSoundAppFile(file, name)
  const own = app?.functions.some(({ type }) => type !== 'PASSTHROUGH')
  if (app === null || (rejected.length > 0 && !own)) {
    const problems = rejected.flatMap((each) => each.problems)
    throw new Refusal('invalid_parameters', 'the app file is not valid', problems.slice(0, 1_000))
  }
  return { app, quarantined: rejected.map((each) => ({ function: each.function ?? each.app, problems: [...each.problems] })) }
}
