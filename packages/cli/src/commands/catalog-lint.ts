import { resolve } from 'node:path'
import { loadSoundCatalog } from '@onward/catalog'
import type { Command } from 'commander'
import { hint, printable, showOne } from '../output.ts'
import { type GlobalOptions, type Terminal, UsageError } from '../terminal.ts'

const BUILT_IN = 'packages/catalog/apps'

export function addCatalogLint(catalog: Command, terminal: Terminal): void {
  catalog
    .command('lint')
    .description('Check app files: that they compile, and that every model takes their functions as tools. Fails when one does not.')
    .argument('[folder...]', `folders of app files; the built-in ones (${BUILT_IN}) when left out`)
    .action(async (folders: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const named = folders.length > 0 ? folders : [BUILT_IN]
      const { apps, functions, quarantined } = await load(named.map((folder) => resolve(terminal.cwd, folder)))
      if (options.json) showOne(terminal, options, { apps: apps.length, functions: functions.length, quarantined })
      else for (const problem of quarantined.flatMap(({ problems }) => problems)) terminal.stdout.write(`${printable(problem)}\n`)
      if (quarantined.length > 0) throw new Error(`${quarantined.length} functions or apps can not be used`)
      hint(terminal, `${functions.length} functions of ${apps.length} apps are sound`)
    })
}

async function load(folders: readonly string[]) {
  return await loadSoundCatalog(folders).catch((err: NodeJS.ErrnoException) => {
    if (err.code === undefined) throw err
    throw new UsageError(`${err.path} can not be read (${err.code})`)
  })
}
