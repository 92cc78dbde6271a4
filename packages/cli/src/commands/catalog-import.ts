import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AppFile } from '@onward/catalog'
import { getImportedApp, putApp, type ResponseOf } from '@onward/contract'
import { OnwardError, send, type Target, TransportError } from '@onward/contract-client'
import { type Imported, type ImportReport, importOpenApi, OptionError } from '@onward/openapi'
import type { Command } from 'commander'
import { adminOf } from '../admin.ts'
import { collect } from '../arguments.ts'
import { fetchText } from '../fetch-text.ts'
import { type GlobalOptions, hint, printable, showList, showOne, type Terminal, UsageError } from '../terminal.ts'

type Asked = {
  readonly name: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly baseUrl?: string
  readonly dryRun?: true
}

/** The service may compile a thousand functions before it responds. */
const STORE_TIMEOUT_MS = 120_000
const HINT_INTERVAL_MS = 1_000

export function addCatalogImport(catalog: Command, terminal: Terminal): void {
  catalog
    .command('import')
    .description('Import an app from an OpenAPI document (2.0, 3.0, 3.1 or 3.2; JSON or YAML), or update an imported app.')
    .argument('<document>', 'file or URL')
    .requiredOption('--name <app>', 'name of the app, which begins every function name')
    .option('--include <what>', 'only operations with this tag, path (/users and below) or operationId; may be repeated', collect, [])
    .option('--exclude <what>', 'not the operations with this tag, path or operationId; may be repeated', collect, [])
    .option('--base-url <url>', 'replaces the servers of the document')
    .option('--dry-run', 'only print the report; needs no service')
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
      if (asked.dryRun) hint(terminal, 'This was a dry run. Nothing was stored.')
      else if (file === null) throw new Error('there is nothing to import; the stored app does not change')
    })
}

async function runImport(terminal: Terminal, document: string, asked: Asked, previous: AppFile | undefined): Promise<Imported> {
  const { name, include, exclude, baseUrl } = asked
  const url = /^https?:\/\//i.test(document) ? document : pathToFileURL(resolve(terminal.cwd, document)).href
  let lastHint = performance.now()
  const onProgress = (text: string) => {
    if (performance.now() - lastHint < HINT_INTERVAL_MS) return
    lastHint = performance.now()
    hint(terminal, `${printable(name)}: ${text}`)
  }
  const reach = terminal.env.OUTGOING_REACH === 'local' ? 'local' : 'public'
  try {
    return await importOpenApi(url, { name, include, exclude, baseUrl, previous, fetchText: fetchText(reach), onProgress })
  } catch (err) {
    if (!(err instanceof OptionError)) throw err
    const given = err.option === 'name' ? `--name ${name}` : `--base-url ${baseUrl}`
    throw new UsageError(`${printable(given)}: ${err.message}`)
  }
}

async function store(functions: Target, file: AppFile): Promise<ResponseOf<typeof putApp>> {
  return await send(functions, putApp, { params: { name: file.name }, body: { file }, timeoutMs: STORE_TIMEOUT_MS })
}

/** Returns the app file of the last import, or undefined. In a dry run `functions` is undefined, and an unreachable service is no error. */
async function findPrevious(
  terminal: Terminal,
  options: GlobalOptions,
  functions: Target | undefined,
  name: string,
): Promise<AppFile | undefined> {
  try {
    const target = functions ?? (await adminOf('functions', terminal, options))
    const { file } = await send(target, getImportedApp, { params: { name } })
    return file as unknown as AppFile
  } catch (err) {
    if (err instanceof OnwardError && err.code === 'app_not_found') return undefined
    if (functions !== undefined) throw err
    if (err instanceof UsageError) return undefined
    if (err instanceof TransportError || err instanceof OnwardError) {
      hint(terminal, `${err.message}; all functions are reported as new`)
      return undefined
    }
    throw err
  }
}

type Quarantined = { readonly function: string; readonly problems: readonly string[] }

type ShownReport = ImportReport & { readonly dry_run: boolean }

/** Prints the report of an import. `quarantined` are functions that the service rejected. */
function showImport(terminal: Terminal, options: GlobalOptions, report: ShownReport, quarantined: readonly Quarantined[]): void {
  if (options.json) {
    showOne(terminal, options, { ...report, ...(quarantined.length > 0 ? { quarantined } : {}) })
    return
  }
  const line = (text: string) => terminal.stdout.write(`${printable(text)}\n`)
  const { title, app, openapi, imported, added, changed, unchanged, removed, skipped, functions, notes, seconds } = report
  const shown = new Set([...added, ...changed])
  const rows = functions.filter(({ name }) => shown.has(name)).map((each) => ({ ...each, function: each.name }))
  if (rows.length > 0) showList(terminal, options, { rows }, 'rows', ['function', 'type', 'method', 'path'])
  for (const name of changed) line(`changed  ${name}`)
  for (const name of removed) line(`removed  ${name}`)
  for (const { operation, reasons } of skipped) line(`skipped  ${operation}: ${reasons.join('; ')}`)
  for (const { function: name, problems } of quarantined) line(`rejected  ${name}: ${problems.join('; ')}`)
  for (const note of notes) line(`note  ${note}`)
  const counts = `${added.length} new, ${changed.length} changed, ${unchanged} unchanged, ${removed.length} removed, ${skipped.length} skipped`
  line(`${title} (${app}, OpenAPI ${openapi}): ${imported} functions in ${seconds} s: ${counts}`)
}
