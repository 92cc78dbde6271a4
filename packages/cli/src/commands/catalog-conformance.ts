import { resolve } from 'node:path'
import { checkConformance } from '@onward/catalog'
import type { Command } from 'commander'
import { hint, printable, showList, showOne } from '../output.ts'
import { type GlobalOptions, type Terminal, UsageError } from '../terminal.ts'

const BUILT_IN = 'packages/catalog/apps'

export function addCatalogConformance(catalog: Command, terminal: Terminal): void {
  catalog
    .command('conformance')
    .description("Check hand-written functions against their vendors' OpenAPI documents. Fails when one departs from them.")
    .argument('<folder>', 'folder of the documents')
    .option('--apps <folder>', 'folder of the app files', BUILT_IN)
    .action(async (folder: string, asked: { apps: string }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const found = await check(resolve(terminal.cwd, asked.apps), resolve(terminal.cwd, folder))
      if (options.json) showOne(terminal, options, found)
      else {
        showList(terminal, options, found, 'apps', ['app', 'checked', 'unmatched'])
        for (const { function: name, problem } of found.findings) terminal.stdout.write(`${printable(`${name}: ${problem}`)}\n`)
        if (found.apps.length > 0) hint(terminal, 'UNMATCHED: functions whose method and path no document has')
      }
      if (found.findings.length > 0) throw new Error(`${found.findings.length} departures from the documents`)
      hint(terminal, `No departure from the ${found.documents} documents.`)
    })
}

async function check(apps: string, documents: string) {
  return await checkConformance(apps, documents).catch((err: NodeJS.ErrnoException) => {
    if (err.code === undefined) throw err
    throw new UsageError(`${err.path} can not be read (${err.code})`)
  })
}
