import type { AppFile } from './file/app-file.ts'
import type { Report } from './problems.ts'
import { unknownArgument } from './sources.ts'
import type { Identity } from './types.ts'

/** The function that tells whose account it is, under its full name. */
export function readIdentity(file: AppFile, report: Report): Identity | null {
  const { identity } = file
  if (!identity) return null
  const problem = problemOf(identity, file.functions)
  if (problem !== null) report(['identity', 'function'], problem)
  return { ...identity, function: `${file.name}-${identity.function}`, arguments: identity.arguments ?? {} }
}

function problemOf(
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
