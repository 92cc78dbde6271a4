import { compileAnswer } from './answer/compile-answer.ts'
import { compilePaging, type Paging } from './answer/paging.ts'
import type { AppFile, FunctionFile } from './file/app-file.ts'
import { stableId, versionOf } from './fingerprint.ts'
import type { Frame } from './frame.ts'
import { readParameters } from './parameters.ts'
import type { Path, Report } from './problems.ts'
import { compileRequest } from './request/compile-request.ts'
import { readSources } from './sources.ts'
import type { App, AppFunction, Cursor } from './types.ts'

/** Compiles one function of a file; problems are reported and what comes back is then of no use. */
export function compileFunction(phrase: string, file: AppFile, frame: Frame, app: App, report: Report): AppFunction {
  const definition = file.functions[phrase] as FunctionFile
  const at: Path = ['functions', phrase]
  const parameters = readParameters(definition, [...at, 'parameters'], report)
  const sources = readSources(phrase, file, report)
  const paging = definition.paging ? compilePaging(definition.paging) : null
  const names = { parameters: parameters.properties, required: parameters.required, settings: frame.settingNames }
  const request = compileRequest(definition.request, frame, names, paging, [...at, 'request'], report)
  for (const name of Object.keys(parameters.properties).filter((item) => !mentions(definition.request, item))) {
    report([...at, 'parameters', 'properties', name], 'is not used in request')
  }
  return {
    ...identify(phrase, app, definition),
    type: definition.type,
    parameters: { ...parameters, properties: withSources(parameters.properties, sources) },
    sources,
    examples: definition.examples ?? [],
    version: versionOf({ app: sharedParts(file), definition }),
    paged: paging !== null,
    checkCursor: (cursor) => checkCursor(paging, cursor),
    request(args, credentials, cursor) {
      const problems = cursor === null ? [] : checkCursor(paging, cursor)
      return problems.length > 0 ? { problems } : request(args, credentials, cursor)
    },
    answer: compileAnswer(definition.response?.output ?? '', paging),
  }
}

/** The part that a function of a file and the passthrough have in common. */
export function identify(phrase: string, app: App, text: { title: string; description: string }) {
  const name = `${app.name}-${phrase}`
  return { id: stableId(name), name, app, title: text.title, description: text.description }
}

/** What a function's behaviour depends on besides its own definition. */
export function sharedParts({ name, base_url, auth, headers, account_settings, body_type }: AppFile): object {
  return { name, base_url, auth, headers, account_settings, body_type }
}

function checkCursor(paging: Paging | null, cursor: Cursor): string[] {
  const problem = paging ? paging.check(cursor) : 'the function has no pages'
  return problem === null ? [] : [`_cursor: ${problem}`]
}

function mentions(request: FunctionFile['request'], name: string): boolean {
  const text = JSON.stringify(request)
  return text.includes(`{${name}}`) || text.includes(`{${name}*}`)
}

function withSources(properties: AppFunction['parameters']['properties'], sources: AppFunction['sources']): typeof properties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const source = sources[name]
      if (!source) return [name, schema]
      return [name, { ...schema, description: `${schema.description} Call \`${source.function}\` to get the available values.` }]
    }),
  )
}
