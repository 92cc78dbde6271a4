import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { AppFile, FunctionFile } from '../src/file/app-file.ts'
import { builtInFunction } from './built-in-accounts.ts'

const FOLDER = join(__dirname, '../apps')

/** All functions of the built-in apps, as the files have them. */
const FUNCTIONS = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yaml'))
  .map((file): AppFile => parse(readFileSync(join(FOLDER, file), 'utf8'), { maxAliasCount: -1 }))
  .flatMap((app) => Object.entries(app.functions).map(([phrase, fn]) => ({ app: app.name, phrase, fn })))

/** Returns the names of the functions of the built-in apps for which `holds` is false. */
function except(chosen: (phrase: string, fn: FunctionFile) => boolean, holds: (app: string, phrase: string, fn: FunctionFile) => boolean) {
  const found = FUNCTIONS.filter(({ phrase, fn }) => chosen(phrase, fn))
  expect(found.length).toBeGreaterThan(0)
  return found.filter(({ app, phrase, fn }) => !holds(app, phrase, fn)).map(({ app, phrase }) => `${app}-${phrase}`)
}

it('returns an empty list where a built-in app leaves an empty list out', () => {
  const lists = (phrase: string, { response, type }: FunctionFile) =>
    type === 'QUERY' && /^(list|search)-/.test(phrase) && response?.output !== undefined
  const isEmpty = (app: string, phrase: string, { response }: FunctionFile) => {
    const around = (response?.output ?? '').split('/').slice(1, -1)
    const body = around.reduceRight<object>((inner, step) => (step === '0' ? [inner] : { [step]: inner }), { next: 'x' })
    const { output } = builtInFunction(app, phrase).readResponse(200, body, null)
    return Array.isArray(output) && output.length === 0
  }
  expect(except(lists, isEmpty)).toEqual([])
})
