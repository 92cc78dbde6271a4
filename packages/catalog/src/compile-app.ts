import { connectFields } from './auth/account-fields.ts'
import { storedFields } from './auth/schemes.ts'
import type { AppFile } from './file/app-file.ts'
import { checkShape } from './file/check-shape.ts'
import { type ParsedFile, readYaml } from './file/read-yaml.ts'
import { type Checks, compileFunction } from './function/compile-function.ts'
import { checkName, checkSchemas } from './function/parameters.ts'
import { makePassthrough, PASSTHROUGH_PHRASE } from './function/passthrough.ts'
import { readIdentity } from './function/sources.ts'
import { CatalogError, type Path, type Report } from './problems.ts'
import { compileFrame, type Frame } from './request/frame.ts'
import type { App, AppFunction, RateLimit } from './types.ts'
import { stableId } from './values/fingerprint.ts'
import { deepFreeze } from './values/objects.ts'

/**
 * Compiles the text of an app file; `file` is its name in messages. Throws a CatalogError with every problem, each as
 * `slack.yaml:41: functions.post-message.request.path: …`.
 */
export function compileApp(text: string, file: string): App {
  return compileParsed(readYaml(text, file))
}

/** Compiles a parsed app file. Throws a CatalogError like `compileApp`, without line numbers. */
export function compileAppFile(value: AppFile, file: string): App {
  return compileParsed(parsedFile(value, file))
}

/** Wraps a value for compiling. Its problems have no line numbers. */
export function parsedFile(value: unknown, file: string): ParsedFile {
  const problem = (path: Path, what: string) => `${file}: ${path.length > 0 ? `${path.join('.')}: ` : ''}${what}`
  // Compiled apps are frozen; the caller's value must stay as it is.
  return { value: structuredClone(value), problem }
}

function compileParsed(parsed: ParsedFile): App {
  const invalidPaths: Path[] = []
  const problems: string[] = []
  checkShape(parsed.value, (path, what) => {
    invalidPaths.push(path)
    problems.push(parsed.problem(path, what))
  })
  // If only functions do not match the schema, the others are still compiled, to report all problems. `null` is the app itself.
  const broken = new Set(invalidPaths.map(([part, phrase]) => (part === 'functions' && phrase !== undefined ? phrase : null)))
  if (broken.has(null)) throw new CatalogError(problems)
  const report = (path: Path, what: string) => problems.push(parsed.problem(path, what))
  const app = compileAndCheck(parsed.value as AppFile, broken, report)
  if (problems.length > 0) throw new CatalogError(problems)
  return deepFreeze(app)
}

/**
 * Compiles an app without its `broken` functions, which are named without the app's name. When it reports problems, do not use the result.
 */
export function compileAndCheck(file: AppFile, broken: ReadonlySet<unknown>, report: Report): App {
  const app = compileFile(file, broken, report, 'all')
  for (const [phrase, definition] of Object.entries(file.functions)) {
    if (!broken.has(phrase)) checkSchemas(definition, ['functions', phrase], report)
  }
  return app
}

/** Compiles an app file that was checked when Onward was built. Checks only what compiling it needs. */
export function compileChecked(file: AppFile): App {
  const report: Report = (path, what) => {
    throw new Error(`${file.name}: ${path.join('.')}: ${what}, though the file was checked ahead`)
  }
  return deepFreeze(compileFile(file, new Set(), report, 'ahead'))
}

function compileFile(file: AppFile, broken: ReadonlySet<unknown>, report: Report, checks: Checks): App {
  const frame = compileFrame(file, report)
  for (const name of frame.settingNames) checkName(name, ['account_settings'], report)
  if (Object.hasOwn(file.functions, PASSTHROUGH_PHRASE)) report(['functions', PASSTHROUGH_PHRASE], 'is added automatically')
  const functions: AppFunction[] = []
  checkHelp(file, frame, report)
  const app = { ...describeApp(file, frame), identity: readIdentity(file, report), functions }
  for (const phrase of Object.keys(file.functions)) {
    if (!broken.has(phrase)) functions.push(compileFunction(phrase, file, frame, app, report, checks))
  }
  if (file.passthrough !== false) functions.push(makePassthrough(file, frame, app))
  functions.sort((a, b) => (a.name < b.name ? -1 : 1))
  return app
}

function describeApp(file: AppFile, frame: Frame): Omit<App, 'identity' | 'functions'> {
  return {
    id: stableId(file.name),
    name: file.name,
    title: file.title,
    description: file.description,
    icon_url: file.icon_url ?? '',
    docs_url: file.docs_url ?? '',
    hosts: hostsOf(file, frame),
    help_url: file.help_url ?? '',
    help: file.help ?? {},
    schemes: frame.schemes,
    accountSettings: frame.settings,
    needsAccount: frame.schemes.some((scheme) => storedFields(scheme).length > 0) || frame.settings.length > 0,
    rateLimit: file.rate_limit ? lowerCase(file.rate_limit) : null,
    sendsTraces: file.send_traces ?? false,
  }
}

function hostsOf({ base_url, hosts = [] }: AppFile, { schemes }: Frame): string[] {
  const bases = [base_url, ...schemes.flatMap((scheme) => scheme.base_url ?? [])]
  return [...new Set([...bases.map((url) => url.replace(/^\w+:\/\//, '').replace(/\/.*$/, '')), ...hosts])]
}

/** A person enters neither tokens nor settings that the OAuth flow supplies, so these need no help. */
function checkHelp({ help = {} }: AppFile, { schemes, settings }: Frame, report: Report): void {
  const entered = new Set(schemes.flatMap((scheme) => connectFields({ accountSettings: settings, help }, scheme)).map(({ name }) => name))
  for (const name of Object.keys(help).filter((each) => !entered.has(each))) report(['help', name], 'is not a field that a person enters')
}

function lowerCase({ remaining, reset, unit }: RateLimit): RateLimit {
  return { remaining: remaining?.toLowerCase(), reset: reset?.toLowerCase(), unit }
}
