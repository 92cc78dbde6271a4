import type { AppFile } from '@onward/catalog'
import { importParameters } from '@onward/openapi'
import { freeName } from './free-name.ts'
import type { Original } from './set.ts'

/** A line of `catalog.jsonl`. */
export type FunctionLine = {
  readonly name: string
  readonly app: string
  readonly app_title?: string
  readonly title: string
  readonly description: string
  /** A JSON Schema. */
  readonly parameters: { readonly properties?: Readonly<Record<string, { readonly description?: string } | null>> }
}

type FunctionFile = AppFile['functions'][string]

const MAX_APP_NAME = 40
/** What models take as the name of a function. */
const MAX_NAME = 64
/** What models take as the description of one. */
const MAX_DESCRIPTION = 1_024
/** A function of this name is added to apps by itself. */
const TAKEN = 'passthrough-request'

/** App files of a set's functions, with names that can stand in them. */
export function makeApps(lines: readonly FunctionLine[]): { apps: AppFile[]; originals: Map<string, Original> } {
  const byApp = new Map<string, FunctionLine[]>()
  for (const line of lines) byApp.set(line.app, [...(byApp.get(line.app) ?? []), line])
  const originals = new Map<string, Original>()
  const names = new Set<string>()
  const apps = [...byApp].map(([original, own]) => {
    const name = freeName(original, MAX_APP_NAME, names)
    const phrases = new Set([TAKEN])
    const functions = own.map((line): [string, FunctionFile] => {
      const { file, parameters } = makeFunction(line)
      const phrase = freeName(withoutApp(line.name, original), MAX_NAME - name.length - 1, phrases)
      originals.set(`${name}-${phrase}`, { name: line.name, parameters })
      return [phrase, file]
    })
    const title = own[0]?.app_title || original.replace(/[_-]+/g, ' ')
    const frame = { name, title, description: title, base_url: 'https://example.com', auth: { type: 'none' as const }, passthrough: false }
    return { ...frame, functions: Object.fromEntries(functions) }
  })
  return { apps, originals }
}

/** The sets do not say what only reads: all are of one type, so that it tells none from another. */
function makeFunction({ title, description, parameters }: FunctionLine): { file: FunctionFile; parameters: Original['parameters'] } {
  const { names, ...imported } = importParameters(parameters)
  const body = Object.fromEntries(Object.keys(names).map((name) => [name, `{${name}}`]))
  return {
    parameters: names,
    file: {
      ...{ title, description: (description.trim() || title).slice(0, MAX_DESCRIPTION), type: 'ACTION', parameters: imported },
      request: { method: 'POST', path: '/', ...(Object.keys(body).length > 0 ? { body } : {}) },
    },
  }
}

/** A name in the service begins with the app's anyway. */
function withoutApp(name: string, app: string): string {
  const rest = name.toLowerCase().startsWith(app.toLowerCase()) ? name.slice(app.length) : name
  return /[A-Za-z]/.test(rest) ? rest : name
}
