import type { AppFile } from '@onward/catalog'
import { importParameters } from '@onward/openapi'

/** The name of a function and of its parameters in the set. */
export type Original = { readonly name: string; readonly parameters: Readonly<Record<string, string>> }

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
/** Longest function name and description that models accept. */
const MAX_NAME = 64
const MAX_DESCRIPTION = 1_024
/** The service adds a function of this name to apps. */
const RESERVED = 'passthrough-request'

/** Returns app files for a set's functions, with valid names, and the original of each name in the service. */
export function makeApps(lines: readonly FunctionLine[]): { apps: AppFile[]; originals: Map<string, Original> } {
  const byApp = new Map<string, FunctionLine[]>()
  for (const line of lines) byApp.set(line.app, [...(byApp.get(line.app) ?? []), line])
  const originals = new Map<string, Original>()
  const names = new Set<string>()
  const apps = [...byApp].map(([original, own]) => {
    const name = freeName(original, MAX_APP_NAME, names)
    const phrases = new Set([RESERVED])
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

/** The sets do not say which functions only read. All have one type, so that it does not help the ranking. */
function makeFunction({ title, description, parameters }: FunctionLine): { file: FunctionFile; parameters: Original['parameters'] } {
  const { names, ...imported } = importParameters(parameters)
  const body = Object.fromEntries(Object.keys(names).map((name) => [name, `{${name}}`]))
  return {
    parameters: names,
    file: {
      title,
      description: (description.trim() || title).slice(0, MAX_DESCRIPTION),
      type: 'ACTION',
      parameters: imported,
      request: { method: 'POST', path: '/', ...(Object.keys(body).length > 0 ? { body } : {}) },
    },
  }
}

/** A name in the service begins with the app's name anyway. */
function withoutApp(name: string, app: string): string {
  const rest = name.toLowerCase().startsWith(app.toLowerCase()) ? name.slice(app.length) : name
  return /[A-Za-z]/.test(rest) ? rest : name
}

/** Returns a name of at most `most` small letters, digits and hyphens that is not taken, and adds it to the taken ones. */
function freeName(text: string, most: number, taken: Set<string>): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const joined = words.join('-') || 'x'
  const whole = /^[a-z]/.test(joined) ? joined : `x-${joined}`
  const cut = (room: number) => whole.slice(0, room).replace(/-+$/, '')
  let name = cut(most)
  for (let count = 2; taken.has(name); count += 1) name = `${cut(most - `-${count}`.length)}-${count}`
  taken.add(name)
  return name
}
