import type { AppFile, FunctionFile } from '../file/app-file.ts'
import type { Report } from '../problems.ts'
import type { AppFunction, Identity } from '../types.ts'
import { argumentTags } from '../values/tags.ts'
import { hasPart } from './output.ts'

type SourceFile = NonNullable<FunctionFile['sources']>[string]

/** Returns, for each parameter, the function that lists its possible values, with its full name. */
export function readSources(phrase: string, file: AppFile, report: Report): AppFunction['sources'] {
  const definition = file.functions[phrase] as FunctionFile
  const own = definition.parameters?.properties ?? {}
  const sources = Object.entries(definition.sources ?? {})
  for (const [parameter, source] of sources) {
    const problem = Object.hasOwn(own, parameter) ? sourceProblem(source, file, own) : 'is not a parameter'
    if (problem) report(['functions', phrase, 'sources', parameter], problem)
  }
  return Object.fromEntries(
    sources.map(([parameter, source]) => [
      parameter,
      { ...source, function: `${file.name}-${source.function}`, arguments: source.arguments ?? {} },
    ]),
  )
}

function sourceProblem({ function: phrase, arguments: given = {}, ...pointers }: SourceFile, file: AppFile, own: object): string | null {
  const source = Object.hasOwn(file.functions, phrase) ? file.functions[phrase] : undefined
  if (!source) return `${phrase} is not a function of this app`
  if (source.type !== 'QUERY') return `${phrase} is not a QUERY`
  const unknown = unknownArgument(source, given)
  if (unknown !== undefined) return `${phrase} has no parameter ${unknown}`
  const item = source.output?.items
  const lost = item && [pointers.value, pointers.label].find((pointer) => !hasPart(item, pointer))
  if (lost !== undefined) return `the output of ${phrase} has no ${lost}`
  const tag = argumentTags(given).find((name) => !Object.hasOwn(own, name))
  if (tag !== undefined) return `{${tag}} is not a parameter here`
  const missing = source.parameters?.required?.find((name) => !Object.hasOwn(given, name) && !Object.hasOwn(own, name))
  return missing === undefined ? null : `${phrase} requires ${missing}, which is not a parameter here`
}

/** Returns the first argument that is not a parameter of the function. */
function unknownArgument(source: FunctionFile, given: object): string | undefined {
  return Object.keys(given).find((name) => !Object.hasOwn(source.parameters?.properties ?? {}, name))
}

/** Returns the function that identifies the owner of an account, with its full name. */
export function readIdentity(file: AppFile, report: Report): Identity | null {
  const { identity } = file
  if (!identity) return null
  const problem = identityProblem(identity, file.functions)
  if (problem !== null) report(['identity', 'function'], problem)
  return { ...identity, function: `${file.name}-${identity.function}`, arguments: identity.arguments ?? {} }
}

function identityProblem(
  { function: phrase, arguments: given = {} }: NonNullable<AppFile['identity']>,
  functions: AppFile['functions'],
): string | null {
  const found = Object.hasOwn(functions, phrase) ? functions[phrase] : undefined
  if (!found) return `${phrase} is not a function of this app`
  if (found.type !== 'QUERY') return `${phrase} is not a QUERY`
  const unknown = unknownArgument(found, given)
  if (unknown !== undefined) return `${phrase} has no parameter ${unknown}`
  const missing = found.parameters?.required?.find((name) => !Object.hasOwn(given, name))
  return missing === undefined ? null : `${phrase} requires ${missing}, which is not among the arguments`
}
