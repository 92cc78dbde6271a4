import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { valueAt } from '@onward/catalog'
import { fits } from '../src/arguments/types.ts'
import { fillTags } from '../src/arguments/variables/tags.ts'
import { openFillables, predictArguments } from './support.ts'

type Case = {
  readonly function: string
  readonly prompt: string | null
  readonly variables: Readonly<Record<string, unknown>>
  readonly arguments: Readonly<Record<string, unknown>>
}

const cases: Case[] = readFileSync('packages/predict/test/cases/variables.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

let fillable: Awaited<ReturnType<typeof openFillables>>
beforeAll(async () => {
  fillable = await openFillables()
})

function predict({ function: name, prompt, variables }: Case): Record<string, unknown> {
  const predicted = predictArguments(fillable(name), { prompt, variables, now: new Date('2026-03-02T09:00:00Z'), timeZone: 'UTC' })
  return Object.fromEntries(Object.entries(predicted).map(([parameter, { value }]) => [parameter, value]))
}

/** Returns the tags that the call would replace; it would refuse a tag of an unknown variable. */
function tagsOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(tagsOf)
  const text = String(value).replaceAll('{{', '').replaceAll('}}', '')
  return [...text.matchAll(/\{([A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*)\}/g)].map(([, path]) => path as string)
}

describe('predictArguments, for 150 labelled cases with variables over the built-in apps,', () => {
  it('predicts all arguments exactly in a share of at least .95', () => {
    const right = cases.filter((each) => isDeepStrictEqual(predict(each), each.arguments))
    expect(right.length).toBeGreaterThanOrEqual(0.95 * cases.length)
  })

  it.each(cases)('writes only valid values and tags of known variables: $function $prompt $variables', (each) => {
    const { check } = fillable(each.function)
    for (const args of [each.arguments, predict(each)]) {
      for (const [parameter, value] of Object.entries(args)) {
        expect(tagsOf(value).filter((path) => valueAt(each.variables, path) === undefined)).toEqual([])
        expect({ parameter, value, fits: fits(check, parameter, fillTags(value, each.variables)) }).toEqual({
          parameter,
          value,
          fits: true,
        })
      }
    }
  })
})
