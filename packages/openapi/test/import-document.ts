import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AppFunction, compileAppFile, type OnwardRequest } from '@onward/catalog'
import { type Imported, type ImportOptions, importOpenApi } from '../src/index.ts'

type Parts = Readonly<Record<string, unknown>>
type Files = Readonly<Record<string, string | Buffer | Parts>>
type Options = Partial<ImportOptions>

export const noWeb = async (): Promise<string> => {
  throw new Error('the web was asked')
}

/** Writes the files to a new folder and imports the first. */
export async function importFiles(files: Files, options: Options = {}): Promise<Imported> {
  const folder = await mkdtemp(join(tmpdir(), 'onward-import-'))
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(
        join(folder, name),
        typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content, null, 1),
      )
    }
    const [first] = Object.keys(files)
    return await importOpenApi(pathToFileURL(join(folder, first as string)).href, { name: 'desk', fetchText: noWeb, ...options })
  } finally {
    await rm(folder, { recursive: true })
  }
}

export async function importDocument(document: Parts, options: Options = {}): Promise<Imported> {
  return await importFiles({ 'desk.json': document }, options)
}

/** Makes an OpenAPI 3.1 document with these paths and other parts. */
export function openApi(paths: Parts, parts: Parts = {}): Parts {
  return { openapi: '3.1.0', info: { title: 'Desk', version: '1' }, servers: [{ url: 'https://api.desk.example/v1' }], paths, ...parts }
}

export function swagger(paths: Parts, parts: Parts = {}): Parts {
  return {
    swagger: '2.0',
    info: { title: 'Desk', version: '1' },
    host: 'api.desk.example',
    basePath: '/v1',
    schemes: ['https'],
    paths,
    ...parts,
  }
}

/** Returns the compiled functions of an import by their names without the app's. */
export function functionsOf({ file }: Imported): Record<string, AppFunction> {
  if (file === null) return {}
  const { functions } = compileAppFile(file, 'desk')
  const own = functions.filter(({ type }) => type !== 'PASSTHROUGH')
  return Object.fromEntries(own.map((fn) => [fn.name.slice(file.name.length + 1), fn]))
}

/** Returns the only function of a document. */
export async function importOne(document: Parts, options: Options = {}): Promise<AppFunction> {
  const imported = await importDocument(document, options)
  const all = Object.values(functionsOf(imported))
  const [only] = all
  if (only === undefined || all.length > 1) throw new Error(`${all.length} functions: ${JSON.stringify(imported.report)}`)
  return only
}

/** Returns the request of a function. */
export function sent(fn: AppFunction, args: Parts, account: Readonly<Record<string, string>> = {}): OnwardRequest {
  const built = fn.request(args, account, null)
  if ('problems' in built) throw new Error(built.problems.join('; '))
  return built.request
}

/** Returns method, path, query and body of a function's request as text. */
export function wire(fn: AppFunction, args: Parts): string {
  const { method, url, body } = sent(fn, args)
  const { pathname, search } = new URL(url)
  return [`${method} ${pathname}${decodeURIComponent(search)}`, ...(body === undefined ? [] : [decodeURIComponent(String(body))])].join(' ')
}
