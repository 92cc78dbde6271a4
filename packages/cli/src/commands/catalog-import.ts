import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AppFile, CatalogError } from '@onward/catalog'
import { send, type Target } from '@onward/client'
import { type Answer, putApp } from '@onward/contract'
import { type Imported, importOpenApi } from '@onward/openapi'
import type { Command } from 'commander'
import { fetchText } from '../fetch-text.ts'
import { hint, printable } from '../output.ts'
import { findPrevious } from '../previous-app.ts'
import { adminOf } from '../settings.ts'
import { showImport } from '../show-import.ts'
import { type GlobalOptions, type Terminal, UsageError } from '../terminal.ts'

type Asked = { readonly name: string; readonly include: readonly string[]; readonly baseUrl?: string; readonly dryRun?: true }

/** A thousand functions are compiled before the service answers. */
const STORE_TIMEOUT_MS = 120_000
const QUIET_MS = 1_000

export function addCatalogImport(catalog: Command, terminal: Terminal): void {
  catalog
    .command('import')
    .description('Import an app from an OpenAPI document (2.0, 3.0 or 3.1; JSON or YAML), or bring an imported one up to date.')
    .argument('<document>', 'file or URL')
    .requiredOption('--name <app>', 'name of the app; every function name begins with it')
    .option('--include <what>', 'only operations of this tag, path (/users and below) or operationId; may be repeated', collect, [])
    .option('--base-url <url>', "where requests go, in place of the document's servers")
    .option('--dry-run', 'only report what would be imported; needs no service')
    .action(async (document: string, asked: Asked, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      if (/^(?!https?:)[a-z][a-z0-9+.-]*:\/\//i.test(document)) {
        throw new UsageError(`${printable(document)}: only https URLs and files can be imported`)
      }
      const functions = asked.dryRun ? undefined : await adminOf('functions', terminal, options)
      const previous = await findPrevious(terminal, options, functions, asked.name)
      const { file, report } = await runImport(terminal, document, asked, previous)
      const stored = functions && file ? await store(functions, file) : undefined
      showImport(terminal, options, { ...report, dry_run: asked.dryRun === true }, stored?.quarantined ?? [])
      if (asked.dryRun) hint(terminal, 'This was a dry run: nothing was stored.')
      else if (file === null) throw new Error('there is nothing to import; what was stored before stays')
    })
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

async function runImport(terminal: Terminal, document: string, asked: Asked, previous: AppFile | undefined): Promise<Imported> {
  const { name, include, baseUrl } = asked
  const url = /^https?:\/\//i.test(document) ? document : pathToFileURL(resolve(terminal.cwd, document)).href
  let told = performance.now()
  const onProgress = (text: string) => {
    if (performance.now() - told < QUIET_MS) return
    told = performance.now()
    hint(terminal, `${printable(name)}: ${text}`)
  }
  const reach = terminal.env.OUTGOING_REACH === 'local' ? 'local' : 'public'
  try {
    return await importOpenApi(url, { name, include, baseUrl, previous, fetchText: fetchText(reach), onProgress })
  } catch (err) {
    // What is wrong with the name or an option is no fault of the document's.
    if (err instanceof CatalogError && /^--/.test(err.message)) throw new UsageError(err.message)
    throw err
  }
}

async function store(functions: Target, file: AppFile): Promise<Answer<typeof putApp>> {
  return await send(functions, putApp, { params: { name: file.name }, body: { file }, timeoutMs: STORE_TIMEOUT_MS })
}
