import { createHash } from 'node:crypto'
import { type App, compileSoundAppFile } from '@onward/catalog'
import { putApp } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { findImportedApp, putImportedApp } from '../../db/imported-apps.ts'
import { route } from '../route.ts'

export const putAppRoute = route(putApp, async (ctx, { params, body }) => {
  const { app, quarantined } = compile(body.file, params.name)
  if (app.name !== params.name) throw new Refusal('invalid_parameters', 'the app file is not valid', [`file.name: must be ${params.name}`])
  if (ctx.catalog.isBuiltIn(app.name))
    throw new Refusal('app_is_built_in', `${app.name} came with Onward; import the app under another name`)
  const clashes = ctx.catalog.clashesOf(app)
  if (clashes.length > 0) throw new Refusal('invalid_parameters', 'the app does not fit beside the others', clashes)
  const file = JSON.stringify(body.file)
  const before = await findImportedApp(ctx.db, app.name)
  const moved = before === undefined || homeOf(JSON.parse(before.file)) !== homeOf(body.file)
  const version = createHash('sha256').update(file).digest('hex').slice(0, 12)
  await putImportedApp(ctx.db, { name: app.name, version, file }, moved)
  await ctx.catalog.refresh()
  return { name: app.name, version, functions: app.functions.length, quarantined }
})

/** Where an account's credentials go. */
function homeOf({ base_url, hosts, auth }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([base_url, hosts, auth])
}

/** What is broken is left out, as long as a function of the file's own is left. */
function compile(file: unknown, name: string): { app: App; quarantined: { function: string; problems: string[] }[] } {
  const { app, quarantined } = compileSoundAppFile(file, name)
  const own = app?.functions.some(({ type }) => type !== 'PASSTHROUGH')
  if (app === null || (quarantined.length > 0 && !own)) {
    const problems = quarantined.flatMap((each) => each.problems)
    throw new Refusal('invalid_parameters', 'the app file is not valid', problems.slice(0, 1_000))
  }
  return { app, quarantined: quarantined.map((each) => ({ function: each.function ?? each.app, problems: [...each.problems] })) }
}
