import { join, resolve } from 'node:path'
import { lintFiles, loadSoundCatalog, proofOf, summariseCatalog } from '@onward/catalog'
import { deleteImportedApp, listImportedApps, listQuarantined } from '@onward/contract'
import { send } from '@onward/contract-client'
import type { Command } from 'commander'
import { adminOf } from '../admin.ts'
import { addExamples } from '../examples.ts'
import { confirmOnTerminal } from '../prompt.ts'
import { type GlobalOptions, hint, printable, showList, showOne, type Terminal, UsageError } from '../terminal.ts'
import { addCatalogImport } from './catalog-import.ts'

export function addCatalogCommands(catalog: Command, terminal: Terminal): void {
  addCatalogImport(catalog, terminal)
  addCatalogList(catalog, terminal)
  addCatalogRemove(catalog, terminal)
  addCatalogLint(catalog, terminal)
  addCatalogQuarantined(catalog, terminal)
  addExamples(catalog, [
    'onward catalog import openapi.yaml --name petstore --dry-run',
    'onward catalog quarantined --json',
    'onward catalog list --summary',
  ])
}

const BUILT_IN = 'packages/catalog/apps'

/** What makes `catalog lint` fail: its name in JSON, and what is said after the number. */
const FAULTS = {
  unhelped: { name: 'without_client_help', what: 'apps do not say how to get an OAuth client' },
  unended: { name: 'without_expiry', what: 'versions in headers have no entry in expires' },
  hidden: { name: 'hidden_permissions', what: 'parameters of sign-ins may ask for permissions that users do not see' },
  disallowed: { name: 'disallowed_functions', what: 'functions need scopes that no sign-in asks for' },
  expired: { name: 'expired', what: 'parts of apps have expired' },
} as const satisfies { readonly [Kind in keyof Omit<Awaited<ReturnType<typeof lintFiles>>, 'expiring' | 'shapeless'>]: object }

function addCatalogLint(catalog: Command, terminal: Terminal): void {
  catalog
    .command('lint')
    .description(
      'Check that app files compile, that every model vendor accepts their functions as tools, that they say how to get an OAuth client ' +
        'and when a version ends, that users see all that a sign-in asks for, that it allows all functions, and that nothing has expired. ' +
        'Warns 90 days before something expires, and about objects of any shape without an example.',
    )
    .argument('[folder...]', `folders of app files (default: ${BUILT_IN})`)
    .action(async (folders: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const paths = (folders.length > 0 ? folders : [BUILT_IN]).map((folder) => resolve(terminal.cwd, folder))
      const { apps, functions, rejected } = await load(paths)
      const lint = await lintFiles(paths, terminal.now())
      const kinds = Object.keys(FAULTS) as (keyof typeof FAULTS)[]
      const warnings = [...lint.shapeless, ...lint.expiring].map((line) => `warning: ${line}`)
      const lines = [...rejected.flatMap(({ problems }) => problems), ...kinds.flatMap((kind) => lint[kind]), ...warnings]
      const counts = { apps: apps.length, functions: functions.length }
      const faults = Object.fromEntries(kinds.map((kind) => [FAULTS[kind].name, lint[kind]]))
      if (options.json)
        showOne(terminal, options, {
          ...counts,
          quarantined: rejected,
          ...faults,
          without_example: lint.shapeless,
          expiring: lint.expiring,
        })
      else for (const line of lines) terminal.stdout.write(`${printable(line)}\n`)
      if (rejected.length > 0) throw new Error(`${rejected.length} functions or apps are rejected`)
      const [first] = kinds.filter((kind) => lint[kind].length > 0)
      if (first !== undefined) throw new Error(`${lint[first].length} ${FAULTS[first].what}`)
      hint(terminal, `${functions.length} functions of ${apps.length} apps are valid`)
    })
}

async function load(folders: readonly string[]) {
  return await loadSoundCatalog(folders).catch((err: NodeJS.ErrnoException) => {
    if (err.code === undefined) throw err
    throw new UsageError(`${err.path} cannot be read (${err.code})`)
  })
}

function addCatalogList(catalog: Command, terminal: Terminal): void {
  catalog
    .command('list')
    .description('List imported apps, or count what app files contain.')
    .argument('[folder]', `a folder of app files, with --summary (default: ${BUILT_IN})`)
    .option('--summary', "count the functions of app files, and how many were checked against vendors' documents")
    .action(async (folder: string | undefined, { summary }: { summary?: true }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      if (summary) return await showSummary(resolve(terminal.cwd, folder ?? BUILT_IN), terminal, options)
      if (folder !== undefined) throw new UsageError('a folder needs --summary')
      const response = await send(await adminOf('functions', terminal, options), listImportedApps)
      showList(
        terminal,
        options,
        response,
        'apps',
        ['name', 'title', 'functions', 'modified_at'],
        'no app is imported; "onward apps list" shows all apps',
      )
    })
}

/** The result of the comparison with vendors' documents is beside the folder. */
async function showSummary(folder: string, terminal: Terminal, options: GlobalOptions): Promise<void> {
  const found = await summariseCatalog(folder).catch((err: NodeJS.ErrnoException) => {
    if (err.code === undefined) throw err
    throw new UsageError(`${err.path} cannot be read (${err.code})`)
  })
  showOne(terminal, options, found)
  hint(terminal, proofOf(found))
}

function addCatalogRemove(catalog: Command, terminal: Terminal): void {
  catalog
    .command('remove')
    .description('Remove an imported app. Its connected accounts stay and work again when the app is imported again.')
    .argument('<name>', 'name of the app from "catalog list"')
    .option('--yes', 'do not ask')
    .action(async (name: string, { yes }: { yes?: true }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      await confirmOnTerminal(terminal, name, yes)
      showOne(terminal, options, await send(functions, deleteImportedApp, { params: { name } }))
      hint(terminal, `The functions of ${printable(name)} can no longer be called.`)
    })
}

function addCatalogQuarantined(catalog: Command, terminal: Terminal): void {
  catalog
    .command('quarantined')
    .description('List the functions and apps that the running service has rejected, with reasons.')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const response = await send(await adminOf('functions', terminal, options), listQuarantined)
      const quarantined = response.quarantined.map((each) => ({
        ...each,
        problems: options.json ? each.problems : each.problems.join('; '),
      }))
      showList(terminal, options, { quarantined }, 'quarantined', ['app', 'function', 'problems'])
    })
}
